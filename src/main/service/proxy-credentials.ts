import { toAppError } from '../../shared/app-failure.ts';

/** One name and password for a proxy, and whether the proxy takes them. A directory locks an account after a few wrong tries. */
export interface ProxyCredentials {
  /** The value of `Proxy-Authorization`. */
  readonly authorization: string;
  wasRefused(): boolean;
  /**
   * Sends it along, or null once it was refused: that is for good. Until the proxy has taken it once, one request at a time
   * takes it along, and the others wait. `send` rejects with proxyFailed, passwordRefused, when the proxy refuses it.
   */
  present<T>(send: (authorization: string | null) => Promise<T>): Promise<T>;
}

export function createProxyCredentials(
  authorization: string,
  { isRefused = false, onRefused }: { isRefused?: boolean; onRefused?: () => void } = {},
): ProxyCredentials {
  let verdict: 'unknown' | 'taken' | 'refused' = isRefused ? 'refused' : 'unknown';
  let trial: Promise<void> | null = null;

  function learn(cause: unknown): void {
    const error = toAppError(cause);
    // Anything else says nothing about it: the next one tries.
    if (error?.code !== 'proxyFailed' || error.reason !== 'passwordRefused' || verdict === 'refused') return;
    verdict = 'refused';
    onRefused?.();
  }

  return {
    authorization,
    wasRefused: () => verdict === 'refused',
    async present(send) {
      while (verdict === 'unknown' && trial !== null) await trial;
      if (verdict === 'refused') return send(null);
      const sending = send(authorization);
      const known = sending.then(() => {
        if (verdict === 'unknown') verdict = 'taken';
      }, learn);
      if (verdict === 'unknown') trial = known.finally(() => (trial = null));
      await known;
      return sending;
    },
  };
}
