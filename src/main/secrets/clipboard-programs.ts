import { spawn } from 'node:child_process';
import { AppFailure } from '../../shared/app-failure.ts';
import { outsideAppImage } from '../lib/start-program.ts';
import type { Desktop, Environment } from '../ports.ts';
import { clearBuffers, type ClipboardBuffer } from './clipboard-buffers.ts';

/** The clipboard as Coffer uses it for secrets. */
export type ClipboardAccess = Pick<
  Desktop,
  'readClipboardText' | 'writeSecretToClipboard' | 'removeFromClipboard' | 'clearClipboard'
>;

type Call = readonly [program: string, ...args: string[]];

interface BufferCalls {
  readonly read: Call;
  readonly clear: Call;
}

interface Programs {
  readonly write: Call;
  readonly clipboard: BufferCalls;
  readonly primary?: BufferCalls;
  readonly encode?: (text: string) => Buffer;
  readonly decode?: (output: Buffer) => string;
}

/**
 * wl-copy(1): "copies data from its standard input"; it serves the text from a file in TMPDIR that it removes when it is
 * replaced. `--clear` sets no source, which GNOME's clipboard manager takes as a new owner without content, so it drops its own
 * copy (mutter, meta-wayland-data-device.c and meta-clipboard-manager.c).
 */
const wayland: Programs = {
  write: ['wl-copy', '--type', 'text/plain'],
  clipboard: {
    read: ['wl-paste', '--no-newline', '--type', 'text/plain'],
    clear: ['wl-copy', '--clear'],
  },
  primary: {
    read: ['wl-paste', '--primary', '--no-newline', '--type', 'text/plain'],
    clear: ['wl-copy', '--primary', '--clear'],
  },
};

/** xclip(1). An empty input makes the selection empty. */
const x11: Programs = {
  write: ['xclip', '-selection', 'clipboard', '-in'],
  clipboard: {
    read: ['xclip', '-selection', 'clipboard', '-out'],
    clear: ['xclip', '-selection', 'clipboard', '-in'],
  },
  primary: {
    read: ['xclip', '-selection', 'primary', '-out'],
    clear: ['xclip', '-selection', 'primary', '-in'],
  },
};

const mac: Programs = {
  write: ['pbcopy'],
  clipboard: { read: ['pbpaste', '-Prefer', 'txt'], clear: ['pbcopy'] },
};

/** clip.exe guesses the encoding of its input, so callers read the result back. */
const windows: Programs = {
  write: ['clip.exe'],
  clipboard: {
    read: [
      'powershell.exe',
      '-NoProfile',
      '-NonInteractive',
      '-Command',
      '[Convert]::ToBase64String([Text.Encoding]::UTF8.GetBytes([string](Get-Clipboard -Raw)))',
    ],
    clear: ['clip.exe'],
  },
  encode: (text) => Buffer.from(text, 'utf16le'),
  decode: (output) => Buffer.from(output.toString(), 'base64').toString(),
};

/** `code` of the program, and what it wrote; null: it is not installed. */
type Outcome = { readonly code: number; readonly output: Buffer } | null;
export type RunProgram = (call: Call, input: Buffer | null, env: Environment) => Promise<Outcome>;

/**
 * Copies with programs of the desktop: where there is no window, or on Wayland it does not have the focus. They cannot set the marks
 * that ask clipboard histories to ignore the text. Every function throws AppFailure clipboardRefused if none is installed.
 */
export function createClipboardPrograms(
  { platform, env }: { platform: NodeJS.Platform; env: Environment },
  run: RunProgram = runProgram,
): ClipboardAccess {
  const ran = environmentOf(env);
  const candidates = candidatesOf(platform, env);
  let chosen: Programs | null = null;

  /** @throws AppFailure clipboardRefused */
  async function runFirst(
    callOf: (programs: Programs) => Call,
    inputOf: (programs: Programs) => Buffer | null,
  ) {
    for (const programs of chosen ? [chosen] : candidates) {
      const outcome = await run(callOf(programs), inputOf(programs), ran);
      if (!outcome) continue;
      chosen = programs;
      return { programs, ...outcome };
    }
    throw new AppFailure({ code: 'clipboardRefused', problem: 'noProgram' });
  }

  type CallsOf = (programs: Programs) => BufferCalls;
  const clipboardOf: CallsOf = ({ clipboard }) => clipboard;

  async function read(callsOf: CallsOf): Promise<string> {
    const found = await runFirst(
      (programs) => callsOf(programs).read,
      () => null,
    );
    const { programs, code, output } = found;
    // The programs fail if there is nothing to paste.
    if (code !== 0) return '';
    return programs.decode?.(output) ?? output.toString();
  }

  async function clear(callsOf: CallsOf): Promise<void> {
    const { code } = await runFirst(
      (programs) => callsOf(programs).clear,
      () => Buffer.alloc(0),
    );
    if (code !== 0) throw new Error(`the clipboard was not cleared: the program ended with ${code}`);
  }

  const bufferOf = (callsOf: CallsOf): ClipboardBuffer => ({
    read: () => read(callsOf),
    clear: () => clear(callsOf),
  });

  return {
    readClipboardText: () => read(clipboardOf),
    async writeSecretToClipboard(text) {
      const { code } = await runFirst(
        ({ write }) => write,
        ({ encode }) => encode?.(text) ?? Buffer.from(text),
      );
      if (code !== 0) throw new AppFailure({ code: 'clipboardRefused', problem: 'notKept' });
    },
    async removeFromClipboard(isOurs) {
      await clearBuffers([bufferOf(clipboardOf)], isOurs);
      const primary = chosen?.primary;
      if (primary) await clearBuffers([bufferOf(() => primary)], isOurs);
      return true;
    },
    clearClipboard: () => clear(clipboardOf),
  };
}

function candidatesOf(platform: NodeJS.Platform, env: Environment): readonly Programs[] {
  if (platform === 'darwin') return [mac];
  if (platform === 'win32') return [windows];
  return [...(env['WAYLAND_DISPLAY'] ? [wayland] : []), ...(env['DISPLAY'] ? [x11] : [])];
}

/** pbcopy reads its input in the locale's encoding. wl-copy's file belongs in memory, not on a disk. */
function environmentOf(env: Environment): Environment {
  const memory = env['XDG_RUNTIME_DIR'];
  return { ...outsideAppImage(env), LC_ALL: 'en_US.UTF-8', ...(memory && { TMPDIR: memory }) };
}

/** Time limit, in ms: on a working desktop no program takes this long. */
const endsWithinMs = 5_000;

/** @throws if it does not end in time */
async function runProgram(
  [program, ...args]: Call,
  input: Buffer | null,
  env: Environment,
): Promise<Outcome> {
  // A program that keeps running to serve the text keeps inherited pipes open, so it gets none that we wait for.
  const child = spawn(program, args, {
    env,
    stdio: [input ? 'pipe' : 'ignore', input ? 'ignore' : 'pipe', 'ignore'],
    windowsHide: true,
  });
  const pieces: Buffer[] = [];
  child.stdout?.on('data', (piece: Buffer) => pieces.push(piece));
  // The program may end without reading its input.
  child.stdin?.on('error', () => undefined).end(input);
  const { promise, resolve, reject } = Promise.withResolvers<Outcome>();
  const limit = setTimeout(() => {
    child.kill();
    reject(new Error(`${program} did not end in time`));
  }, endsWithinMs);
  child.on('error', (cause: NodeJS.ErrnoException) =>
    cause.code === 'ENOENT' ? resolve(null) : reject(cause),
  );
  child.on(input ? 'exit' : 'close', (code) => resolve({ code: code ?? -1, output: Buffer.concat(pieces) }));
  return promise.finally(() => clearTimeout(limit));
}
