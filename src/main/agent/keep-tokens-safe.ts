import { guardOf } from '../../shared/contract.ts';
import type { Router } from '../ipc/router.ts';

/**
 * For commands: marks their calls, so that a stored token is sent only to the address and over the proxy that the person chose. Any
 * program of this user can act as a command, so one that names another address, proxy or certificate must supply the token itself.
 * The procedures decide that, and not this place: here the settings could be changed before the call has its turn.
 */
export function keepTokensSafe(router: Router): Router {
  return (name, input) => {
    const isGuarded = typeof name === 'string' && guardOf(name) === 'token';
    return router(name, isGuarded && isObject(input) ? { ...input, byCommand: true } : input);
  };
}

const isObject = (input: unknown): input is object => typeof input === 'object' && input !== null;
