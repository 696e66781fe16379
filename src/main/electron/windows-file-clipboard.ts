import { execFile } from 'node:child_process';
import { win32 } from 'node:path';
import { promisify } from 'node:util';
import { Mutex } from '../lib/async.ts';

const runFile = promisify(execFile);

const variable = 'COFFER_COPIED_FILE_';

/**
 * Paths come from the environment, never in the script's text. Stops at the first that fails, with nothing on the clipboard. With the
 * names of the modules: a module of the person's own may have commands of the same names.
 */
const management = 'Microsoft.PowerShell.Management';
const pathsInEnv = `${management}\\Get-ChildItem Env:${variable}* | ForEach-Object { $_.Value }`;
const script = `$ErrorActionPreference = 'Stop'; ${management}\\Set-Clipboard -LiteralPath @(${pathsInEnv})`;

/** In ms, so that it overwrites nothing that the person has copied long after. A first start that a virus scanner watches takes seconds. */
const endsWithinMs = 5_000;

/** One after the other: the last that the person copied stays. */
const order = new Mutex();

/**
 * Puts files on the clipboard of Windows as CF_HDROP, which Explorer pastes and Electron cannot write. Windows PowerShell 5.1 is
 * part of Windows 10 and 11, and its `Set-Clipboard -LiteralPath` leaves the list there after it ends. (PowerShell 7 has lost the
 * parameter.) A variable per file: one holds 32,767 characters, and the whole environment any number. Paths of 260 characters and more
 * fail there.
 * @throws what `execFile` does
 */
export async function copyFilesOnWindows(paths: readonly string[], env: NodeJS.ProcessEnv): Promise<void> {
  const inherited = Object.entries(env).filter(([name]) => {
    const upper = name.toUpperCase();
    // Of PowerShell 7, if that started Coffer: 5.1 cannot load the modules there, and without the variable finds its own.
    return upper !== 'PSMODULEPATH' && !upper.startsWith(variable);
  });
  const [, root = 'C:\\Windows'] = inherited.find(([name]) => name.toUpperCase() === 'SYSTEMROOT') ?? [];
  const start = () =>
    runFile(
      win32.join(root, 'System32', 'WindowsPowerShell', 'v1.0', 'powershell.exe'),
      ['-NoProfile', '-NonInteractive', '-Command', script],
      {
        env: { ...Object.fromEntries(inherited), ...named(paths) },
        timeout: endsWithinMs,
        windowsHide: true,
      },
    );
  await order.runExclusive(start);
}

const named = (paths: readonly string[]) =>
  Object.fromEntries(paths.map((path, at) => [`${variable}${String(at)}`, path]));
