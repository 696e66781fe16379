import { resolve } from 'node:path';
import { Readable } from 'node:stream';
import { exitCodeOf, exitCodes } from '../../../../src/command/errors/exit-code.ts';
import { HeldUp, NotRead, Usage } from '../../../../src/command/errors/errors.ts';
import type { Context, Run, RunAlone } from '../../../../src/command/context.ts';
import { createOutput } from '../../../../src/command/terminal/output.ts';
import type { CommandIo } from '../../../../src/command/terminal/io.ts';
import { toAppError } from '../../../../src/shared/app-failure.ts';
import { createGathering } from '../../../command/in-process.ts';
import type { Person } from './person.ts';

export interface Commanded {
  readonly code: number;
  /** The lines that it printed with `--json`. */
  readonly lines: readonly Readonly<Record<string, unknown>>[];
}

/** A command of the command line over a person's installation, in virtual time and without a terminal. It dies with it. */
export function createCommand(person: Person, cwd: string) {
  const { clock } = person;
  const ending = new AbortController();
  const [stdout, stderr] = [createGathering(), createGathering()];
  const io = {
    cwd,
    resolve: (path: string) => resolve(cwd, path),
    clock,
    stdin: Readable.from([]),
    env: {},
    homeFolder: cwd,
  } as unknown as CommandIo;
  const output = createOutput({ json: true, quiet: false, progress: false, stdout, stderr });
  const interrupted = ending.signal;
  const alone = { io, output, interrupted, dataFolder: person.folder, leaveSignals: () => () => undefined };

  async function attempt(run: Run): Promise<number> {
    const coffer = person.openCoffer();
    const context: Context = {
      ...alone,
      coffer,
      hasList: true,
      temporaryFolder: null,
      doneBy: 'thisCommand',
      makeWay: new AbortController().signal,
      waitMs: 120_000,
      absentMs: 5_000,
      withoutOther: async () => context,
      service: async () => {
        const [service] = (await coffer.call('services.list', undefined)).services;
        if (!service) throw new Error('there is no service');
        return service;
      },
    };
    try {
      return await run(context);
    } catch (cause) {
      if (interrupted.aborted) return exitCodes.interrupted;
      if (cause instanceof Usage || cause instanceof HeldUp || cause instanceof NotRead)
        return cause.exitCode;
      const error = toAppError(cause);
      if (!error) throw cause;
      return exitCodeOf(error);
    } finally {
      await coffer.close();
    }
  }

  async function ended(code: Promise<number>): Promise<Commanded> {
    const ends = await code;
    await output.flushed();
    const lines = stdout.text().split('\n').slice(0, -1);
    return { code: ends, lines: lines.map((line) => JSON.parse(line) as Record<string, unknown>) };
  }

  return {
    /** As Ctrl+C. */
    interrupt: () => ending.abort(),
    run: (run: Run) => ended(attempt(run)),
    runAlone: (run: RunAlone) => ended(run({ ...alone, version: '1.0.0', attempt })),
  };
}
