import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { endingSignals, exitCodes, type EndingSignal } from '../errors/exit-code.ts';
import type { CommandIo } from '../terminal/io.ts';
import { commandTexts as texts } from '../texts.ts';
import { passSignals } from './pass-signals.ts';

/** Why the file that was edited is not to be stored, and the command's exit code. */
export interface EditorFailure {
  readonly why: string;
  readonly code: number;
}

/** Exit code of shells for a program that does not exist. */
const notThere = 127;
/** Signals to the command that end the edit, whatever the editor makes of them. Those of the terminal are the editor's: Ctrl+C is a key in many. */
const ofCommand: readonly EndingSignal[] = ['SIGHUP', 'SIGTERM'];

/** Runs $VISUAL or $EDITOR, a line of shell, on the terminal. null: it ended with 0. */
export async function runEditor(
  { io, leaveSignals }: { readonly io: CommandIo; readonly leaveSignals: () => () => void },
  editor: string,
  path: string,
): Promise<EditorFailure | null> {
  const { COFFER_TOKEN: _token, ...env } = io.env;
  let ended: EndingSignal | null = null;
  const stops = ofCommand.map((name) => io.onSignal(name, () => void (ended = name)));
  stops.push(passSignals(io, (signal) => void child.kill(signal)));
  const takeSignals = leaveSignals();
  const child = spawn('sh', ['-c', `${editor} "$1"`, 'sh', path], {
    env,
    cwd: io.cwd ?? '/',
    stdio: io.childStdio,
  });
  const end = await once(child, 'exit').catch(() => [notThere, null]);
  takeSignals();
  for (const stop of stops) stop();
  const [code, signal] = end as [number | null, NodeJS.Signals | null];
  if (ended !== null) return { why: texts.interrupted, code: endingSignals[ended as EndingSignal] };
  if (code === 0) return null;
  const why =
    signal !== null
      ? texts.editorKilled({ signal })
      : code === notThere
        ? texts.editorNotFound({ editor })
        : texts.editorFailed({ code: code ?? 0 });
  return { why, code: exitCodes.error };
}
