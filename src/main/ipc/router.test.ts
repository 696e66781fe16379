import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { procedures, type Handlers, type ProcedureName } from '../../shared/contract.ts';
import { appErrorSchema } from '../../shared/errors.ts';
import { AppFailure } from '../../shared/app-failure.ts';
import type { Log } from '../ports.ts';
import { createRouter } from './router.ts';
import { runs } from '../../../test-support/runs.ts';

const names = Object.keys(procedures).filter((name): name is ProcedureName =>
  Object.hasOwn(procedures, name),
);
const secret = '/home/someone/token-t0psecret';

/** Handlers that fail with everything that must not reach the page. */
function leakingHandlers(): Handlers {
  const leak = () => {
    throw new Error(secret);
  };
  return Object.fromEntries(names.map((name) => [name, leak])) as unknown as Handlers;
}

function collectLog(): { log: Log; lines: string[] } {
  const lines: string[] = [];
  const write = (message: string) => void lines.push(message);
  return { log: { info: write, warn: write, error: write }, lines };
}

const junk = fc.oneof(
  fc.anything({
    withBigInt: true,
    withDate: true,
    withMap: true,
    withNullPrototype: true,
    withSparseArray: true,
  }),
  fc.constant('x'.repeat(1_000_000)),
  fc.constant(JSON.parse('{"__proto__":{"polluted":true}}')),
  fc.constant({ constructor: { prototype: { polluted: true } } }),
  fc.record({ id: fc.oneof(fc.integer(), fc.string()), token: fc.string(), draft: fc.anything() }),
);

describe('createRouter', () => {
  it('answers every procedure and every junk with a typed reply, and never with what it must not say', async () => {
    const { log } = collectLog();
    const call = createRouter(async () => leakingHandlers(), log);
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...names), junk, async (name, input) => {
        const reply = await call(name, input);
        expect(reply.ok).toBe(false);
        if (reply.ok) return;
        expect(appErrorSchema.parse(reply.error)).toEqual(reply.error);
        expect(['invalidInput', 'unexpected']).toContain(reply.error.code);
        expect(JSON.stringify(reply)).not.toContain('t0psecret');
        expect(JSON.stringify(reply).length).toBeLessThan(400);
        expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
      }),
      { numRuns: runs(1000) },
    );
  });

  it('says which limit an input exceeds', async () => {
    const call = createRouter(async () => leakingHandlers(), collectLog().log);
    const move = (identifier: string) =>
      call('objects.planMove', {
        selection: { kind: 'ids', ids: [1] },
        to: { kind: 'name', identifier },
      });
    expect(await move('x'.repeat(8193))).toEqual({
      ok: false,
      error: { code: 'invalidInput', field: 'to.identifier', problem: 'tooLong', limit: 8192 },
    });
    expect(await call('transfers.picked', { ids: [] })).toEqual({
      ok: false,
      error: { code: 'invalidInput', field: 'ids', problem: 'empty' },
    });
    expect(await call('secrets.generate', { kind: 'passphrase', words: 13 })).toEqual({
      ok: false,
      error: { code: 'invalidInput', field: 'words', problem: 'tooLarge', limit: 12 },
    });
    expect(await call('team.removeArea', { serviceId: 'a', areaId: 0 })).toEqual({
      ok: false,
      error: { code: 'invalidInput', field: 'areaId', problem: 'tooSmall', limit: 1 },
    });
    const signIn = { origin: 'http://proxy:8080', user: 'me', password: 'pass\tword' };
    expect(await call('proxies.signIn', { ...signIn, keep: true })).toEqual({
      ok: false,
      error: { code: 'invalidInput', field: 'password', problem: 'characters' },
    });
  });

  it('refuses names that are not its own', async () => {
    const call = createRouter(async () => leakingHandlers(), collectLog().log);
    for (const name of [
      '__proto__',
      'constructor',
      'toString',
      'objects',
      '',
      'objects.page ',
      null,
      7,
      {},
      names,
    ]) {
      expect(await call(name, undefined)).toEqual({ ok: false, error: { code: 'unknownProcedure' } });
    }
  });

  it('says that it is not ready when there is no handler yet', async () => {
    const call = createRouter(async () => ({}), collectLog().log);
    expect(await call('tasks.list', undefined)).toEqual({ ok: false, error: { code: 'notReady' } });
  });

  it('refuses extra keys and does not repeat them', async () => {
    const call = createRouter(async () => leakingHandlers(), collectLog().log);
    const reply = await call('services.activate', { id: 'a', [secret]: 1 });
    expect(reply).toEqual({
      ok: false,
      error: { code: 'invalidInput', field: 'input', problem: 'unrecognized_keys' },
    });
  });

  it('passes on what was thrown on purpose, and a reference for the rest', async () => {
    const { log, lines } = collectLog();
    const handlers: Handlers = {
      ...leakingHandlers(),
      'settings.get': () => {
        throw new AppFailure({ code: 'tokenMissing' });
      },
    };
    const call = createRouter(async () => handlers, log);
    expect(await call('settings.get', undefined)).toEqual({ ok: false, error: { code: 'tokenMissing' } });
    const reply = await call('tasks.list', undefined);
    expect(reply).toMatchObject({ ok: false, error: { code: 'unexpected' } });
    expect(lines).toEqual(['procedure failed']);
  });
});
