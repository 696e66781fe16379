import { basename, dirname } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { savePrivately } from '../../main/secrets/secret-value.ts';
import type { Run } from '../context.ts';
import { Usage } from '../errors/errors.ts';
import { exitCodes } from '../errors/exit-code.ts';
import { checkOutputFile, checkSavedPath, isStream, outputFailure } from '../files/output-path.ts';
import { forValues } from '../secrets/read-secrets.ts';
import { fill, handleProblems, readSource, resolveHoles } from '../secrets/resolve.ts';
import { holesOf, parseTemplate } from '../secrets/template.ts';
import { secretTexts as texts } from '../secrets/texts.ts';
import { openStream } from '../files/streams.ts';

export interface InjectOptions {
  readonly input: string;
  readonly output: string;
  readonly force?: boolean;
  readonly reveal?: true;
}

/** `coffer inject -i TEMPLATE|- -o FILE|- [--force] [--reveal]` */
export function inject({ input, output: to, force = false, reveal }: InjectOptions): Run {
  return async (given) => {
    const { io, output } = given;
    if (to === '-' && io.stdout.isTTY && !reveal) throw new Usage(texts.noTerminal);
    if (input === '-' && io.stdin.isTTY) throw new Usage(texts.stdinTwice);
    const intoStream = isStream(io, to);
    if (!intoStream) checkOutputFile(io, to, force);
    const source = input === '-' ? '-' : basename(input);
    const content = input === '-' ? await buffer(io.stdin) : await readSource(given, input);
    const { pieces, problems } = parseTemplate(content, { source, line: 1, name: null });
    handleProblems(given, problems);
    const context = holesOf(pieces).length > 0 ? await forValues(given) : given;
    const values = await resolveHoles(context, pieces, 'coffer inject');
    const filled = fill(pieces, values);
    try {
      if (to === '-') {
        io.stdout.write(filled);
        await output.flushed();
      } else {
        if (intoStream) await pipeline([filled], await openStream(io, to));
        else {
          const full = io.resolve(to);
          const saved = await savePrivately(full, filled, force).catch((cause: unknown) => {
            throw outputFailure(cause, dirname(full));
          });
          checkSavedPath(to, full, saved);
        }
        const count = holesOf(pieces).length;
        output.result(texts.written({ path: to, count }), { path: io.resolve(to), secrets: count });
      }
    } finally {
      filled.fill(0);
      for (const value of values.values()) value.fill(0);
    }
    return exitCodes.done;
  };
}
