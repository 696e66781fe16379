import { expect, test } from 'vitest';
import { keepTokensSafe } from './keep-tokens-safe.ts';

const router = keepTokensSafe(async (name, input) => ({ ok: true, value: { name, input } }));

test.each(['services.update', 'services.test', 'services.tryObject'])(
  'a command cannot take the mark off its %s',
  async (name) => {
    for (const given of [{ id: 'a' }, { id: 'a', byCommand: false }]) {
      expect(await router(name, given)).toMatchObject({
        value: { name, input: { id: 'a', byCommand: true } },
      });
    }
    // The router refuses it.
    expect(await router(name, 'nonsense')).toMatchObject({ value: { input: 'nonsense' } });
  },
);

test('other calls pass as they are', async () => {
  const input = { id: 'a', token: 'b' };
  expect(await router('services.setToken', input)).toEqual({
    ok: true,
    value: { name: 'services.setToken', input },
  });
});
