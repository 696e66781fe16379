import { addAbortSignal } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { Context } from '../context.ts';
import { Usage } from '../errors/errors.ts';
import { exitCodes } from '../errors/exit-code.ts';
import { openInput } from '../terminal/open-input.ts';
import { readSecrets, serviceFinder } from './read-secrets.ts';
import { holesOf, type Hole, type Piece, type Place, type Problem } from './template.ts';
import { secretTexts as texts } from './texts.ts';

export function placeText({ source, line, name }: Place): string {
  if (name === null) return texts.at.line({ source, line });
  return line === 0 ? texts.at.environment({ name }) : texts.at.variable({ name, source, line });
}

/** Prints all problems. @throws Usage if any is not `bare` */
export function handleProblems({ output }: Context, problems: readonly Problem[]): void {
  const words = ({ place, problem, text }: Problem) => {
    const where = placeText(place);
    return problem === 'bare'
      ? texts.problem.bare({ place: where })
      : texts.problem[problem]({ place: where, text });
  };
  for (const problem of problems.filter((one) => one.problem === 'bare')) output.say(words(problem));
  const [last, ...others] = problems.filter((one) => one.problem !== 'bare').toReversed();
  for (const problem of others.toReversed()) output.error(words(problem));
  if (last) throw new Usage(words(last));
}

/** Reads the values of all holes, keyed by reference as written. The caller must overwrite them. @throws Usage, NotRead, AppFailure */
export async function resolveHoles(
  context: Context,
  pieces: readonly Piece[],
  program: string,
): Promise<Map<string, Buffer>> {
  const holes = holesOf(pieces);
  if (holes.length === 0) return new Map();
  const find = await serviceFinder(context);
  const wanted = holes.map(({ reference, place }) => ({
    name: place.name ?? `${place.source}:${String(place.line)}`,
    place: texts.reads({ place: placeText(place), identifier: reference.identifier }),
    service: findFor(find, reference.service, place),
    identifier: reference.identifier,
  }));
  const values = await readSecrets(context, wanted, program);
  const byReference = new Map<string, Buffer>();
  holes.forEach(({ reference }, index) => {
    const value = values[index] ?? Buffer.alloc(0);
    byReference.get(reference.text)?.fill(0);
    byReference.set(reference.text, value);
  });
  return byReference;
}

function findFor<T>(find: (name: string) => T, name: string, place: Place): T {
  try {
    return find(name);
  } catch (cause) {
    if (cause instanceof Usage) throw new Usage(`${placeText(place)}: ${cause.message}`, cause.exitCode);
    throw cause;
  }
}

/** Substitutes the values for the holes. */
export function fill(pieces: readonly Piece[], values: ReadonlyMap<string, Buffer>): Buffer {
  return Buffer.concat(pieces.map((piece) => ('reference' in piece ? valueOf(piece, values) : piece)));
}

function valueOf({ reference }: Hole, values: ReadonlyMap<string, Buffer>): Buffer {
  const value = values.get(reference.text);
  if (!value) throw new Error('a reference was not resolved');
  return value;
}

/** @throws Usage */
export async function readSource(
  { io, interrupted }: Pick<Context, 'io' | 'interrupted'>,
  source: string,
): Promise<Buffer> {
  try {
    return await buffer(addAbortSignal(interrupted, openInput(io.resolve(source))));
  } catch (cause) {
    const reason = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
    throw new Usage(texts.unreadable({ source, reason }), exitCodes.notFound);
  }
}
