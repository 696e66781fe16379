import { z } from 'zod';
import { createHttp } from '../service/http.ts';

/** Releases only: three numbers. */
const versionSchema = z.string().regex(/^\d{1,6}\.\d{1,6}\.\d{1,6}$/);
const answerSchema = z.object({ version: versionSchema });

/**
 * Asks an https address for the newest version, a JSON object with `version`, in one request. Follows no redirects,
 * reads at most 64 KiB, and sends nothing that identifies the computer: no cookie, name or version. Throws like the
 * client of a service.
 */
export async function askNewestVersion(
  address: string,
  { authorities, signal }: { authorities?: string | undefined; signal: AbortSignal },
): Promise<string> {
  const url = new URL(address);
  const http = createHttp({
    baseAddress: url.origin,
    getToken: () => null,
    authorities,
    timeouts: { headersMs: 30_000, idleBodyMs: 10_000 },
  });
  try {
    const answer = await http.sendForJson(
      { method: 'GET', path: url, authenticated: false, signal },
      answerSchema,
    );
    return answer.version;
  } finally {
    await http.close();
  }
}

/** Both have three numbers. */
export function isNewer(version: string, than: string): boolean {
  const [left, right] = [version, than].map((text) => text.split('.').map(Number));
  for (const at of [0, 1, 2]) {
    const [a, b] = [left?.[at] ?? 0, right?.[at] ?? 0];
    if (a !== b) return a > b;
  }
  return false;
}
