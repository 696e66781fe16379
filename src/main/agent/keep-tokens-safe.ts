import type { ProcedureName } from '../../shared/contract.ts';
import type { Router } from '../ipc/router.ts';

/** Procedures that may send a stored token by settings that come with the call. */
const guarded: ReadonlySet<unknown> = new Set<ProcedureName>([
  'services.update',
  'services.test',
  'services.tryObject',
]);

/**
 * For commands: marks their calls, so that a stored token is sent only to the address and over the proxy that the person chose. Any
 * program of this user can act as a command, so one that names another address, proxy or certificate must supply the token itself.
 * The procedures decide that, and not this place: here the settings could be changed before the call has its turn.
 */
export function keepTokensSafe(router: Router): Router {
  return (name, input) =>
    router(name, guarded.has(name) && isObject(input) ? { ...input, byCommand: true } : input);
}

const isObject = (input: unknown): input is object => typeof input === 'object' && input !== null;
