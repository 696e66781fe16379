import { describe, expect, it, vi } from 'vitest';
import type { Bridge } from '../../shared/bridge.ts';
import { settingsDefault } from '../../shared/domain/settings.ts';
import { AppFailure } from '../../shared/app-failure.ts';
import { createClient } from './client.ts';
import { createFakeMain } from '../../../test-support/renderer/testing.tsx';

const silentBridge: Bridge<File> = {
  call: async () => undefined,
  on: () => () => undefined,
  grantFiles: async () => ({ grants: [], refused: [] }),
  startDrag: () => undefined,
  memoryBytes: async () => 0,
};

function clientAnswering(reply: unknown) {
  return createClient({ ...silentBridge, call: async () => reply });
}

describe('client', () => {
  it('resolves with the value', async () => {
    const { client } = createFakeMain();
    expect(await client.call('settings.get')).toEqual(settingsDefault);
  });

  it('rejects with the error that main rejected with', async () => {
    const { client } = createFakeMain({
      'settings.get': () => {
        throw new AppFailure({ code: 'notReady' });
      },
    });
    await expect(client.call('settings.get')).rejects.toMatchObject({ error: { code: 'notReady' } });
  });

  it.each([
    undefined,
    null,
    'no',
    { ok: 'yes' },
    { ok: true, value: { theme: 'pink' } },
    { ok: false, error: { code: 'made up' } },
  ])('rejects a reply that does not match the contract: %j', async (reply) => {
    await expect(clientAnswering(reply).call('settings.get')).rejects.toMatchObject({
      error: { code: 'unexpected' },
    });
  });

  it('listens to the bridge once, whatever the number of listeners', () => {
    const on = vi.fn<Bridge<File>['on']>(() => () => undefined);
    const client = createClient({ ...silentBridge, on });
    const heard = vi.fn<() => void>();
    for (const event of ['services.changed', 'tasks.changed', 'tasks.changed'] as const)
      client.on(event, heard);
    expect(on).toHaveBeenCalledOnce();
    on.mock.calls[0]?.[0]('tasks.changed', { revision: 3 });
    expect(heard).toHaveBeenCalledTimes(2);
  });

  it('delivers only the subscribed event, and only a payload that matches the contract', () => {
    const { client, emit } = createFakeMain();
    const heard = vi.fn<(payload: { revision: number }) => void>();
    const stop = client.on('services.changed', heard);
    emit('services.changed', { revision: 2 });
    emit('tasks.changed', { revision: 3 });
    emit('services.changed', { revision: 'junk' } as never);
    stop();
    emit('services.changed', { revision: 4 });
    expect(heard.mock.calls).toEqual([[{ revision: 2 }]]);
  });
});
