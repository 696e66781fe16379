import { execFile } from 'node:child_process';
import { win32 } from 'node:path';
import { promisify } from 'node:util';

const runFile = promisify(execFile);

const variable = 'COFFER_COPIED_FILE_';

/**
 * Paths come from the environment, never in the script's text. A failure of the cmdlet alone would not change the exit code.
 */
const script = `$ErrorActionPreference = 'Stop'; Set-Clipboard -LiteralPath @(Get-ChildItem Env:${variable}* | ForEach-Object { $_.Value })`;

/** In ms. A first start of PowerShell that a virus scanner watches takes seconds. */
const endsWithinMs = 15_000;

/**
 * Puts files on the clipboard of Windows as CF_HDROP, which Explorer pastes and Electron cannot write. Windows PowerShell 5.1 is
 * part of Windows 10 and 11, and its `Set-Clipboard -LiteralPath` leaves the list there after it ends. (PowerShell 7 has lost the
 * parameter.) A variable per file, because one may have 32,767 characters, as a path may, and the whole environment any number.
 * @throws what `execFile` does
 */
export async function copyFilesOnWindows(paths: readonly string[], env: NodeJS.ProcessEnv): Promise<void> {
  const inherited = Object.entries(env).filter(([name]) => {
    const upper = name.toUpperCase();
    // Of PowerShell 7, if that started Coffer: 5.1 cannot load the modules there, and without the variable finds its own.
    return upper !== 'PSMODULEPATH' && !upper.startsWith(variable);
  });
  const [, root = 'C:\\Windows'] = inherited.find(([name]) => name.toUpperCase() === 'SYSTEMROOT') ?? [];
  await runFile(
    win32.join(root, 'System32', 'WindowsPowerShell', 'v1.0', 'powershell.exe'),
    ['-NoProfile', '-NonInteractive', '-Command', script],
    {
      env: { ...Object.fromEntries(inherited), ...named(paths) },
      timeout: endsWithinMs,
      windowsHide: true,
    },
  );
}

const named = (paths: readonly string[]) =>
  Object.fromEntries(paths.map((path, at) => [`${variable}${String(at)}`, path]));
