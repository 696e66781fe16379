import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { benchAuthority, benchToken } from '../parts/service.ts';
import { read } from '../parts/processes.ts';

const root = join(import.meta.dirname, '..', '..');

export interface Ran {
  /** Infinity: it was ended because it took too long. */
  readonly ms: number;
  /** Most resident memory; 0 where there is no /proc. */
  readonly peakBytes: number;
}

/**
 * The built command with an address and a token alone, as on a build machine, from process start to exit.
 * @param limitMs after which it is ended
 */
export async function runCoffer(
  folder: string,
  baseAddress: string,
  args: readonly string[],
  limitMs: number,
): Promise<Ran> {
  if (!existsSync(join(root, 'out', 'main', 'command.js'))) throw new Error('Not built yet: npm run build');
  // A person's shell has no compile cache.
  const { NODE_COMPILE_CACHE: _, ...env } = process.env;
  const own = await mkdtemp(join(folder, 'own-'));
  const startMs = performance.now();
  const child = spawn(join(root, 'bin', 'coffer'), [...args, '--quiet'], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: {
      ...env,
      TMPDIR: own,
      XDG_CONFIG_HOME: own,
      COFFER_ADDRESS: baseAddress,
      COFFER_TOKEN: benchToken,
      NODE_EXTRA_CA_CERTS: benchAuthority,
    },
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
  let peakBytes = 0;
  const watch = setInterval(() => {
    const kilobytes = /^VmHWM:\s+(\d+)/m.exec(read(`/proc/${String(child.pid)}/status`))?.[1];
    peakBytes = Math.max(peakBytes, Number(kilobytes ?? 0) * 1024);
  }, 50);
  const limit = setTimeout(() => child.kill('SIGKILL'), limitMs);
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
  const ms = performance.now() - startMs;
  clearInterval(watch);
  clearTimeout(limit);
  await rm(own, { recursive: true, force: true });
  if (signal === 'SIGKILL' && ms >= limitMs) return { ms: Infinity, peakBytes };
  if (code !== 0) throw new Error(`coffer ${args.join(' ')} ended with ${String(code ?? signal)}: ${said}`);
  return { ms, peakBytes };
}
