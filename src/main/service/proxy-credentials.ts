import { toAppError } from '../../shared/app-failure.ts';

/**
 * A name and password for a proxy, and whether the proxy accepts them. A directory locks an account after a few wrong
 * tries.
 */
export interface ProxyCredentials {
  /** The value of `Proxy-Authorization`. */
  readonly authorization: string;
  wasRefused(): boolean;
  /**
   * Calls `send` with the credentials, or with null once they were refused, which is final. Until the proxy has
   * accepted them once, only one request at a time carries them, and the others wait. `send` rejects with proxyFailed
   * (passwordRefused) when the proxy refuses them.
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
    // Any other error says nothing about the credentials: the next request tries them.
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
