import { fillTemplate, localDate, usesHash } from '../../shared/domain/template.ts';
import type { Service } from '../../shared/domain/service.ts';
import type { Context } from '../context.ts';
import { Usage } from '../errors/errors.ts';
import type { ExitCode } from '../errors/exit-code.ts';
import { digestFiles } from '../files/digest-files.ts';
import { findFiles, type LocalFile } from '../files/find-files.ts';
import type { Narrowing } from '../files/patterns.ts';
import { sayProblems, type Problems, type SendOptions } from './send-files.ts';
import { commandTexts as texts } from '../texts.ts';

export interface NamedFile {
  readonly path: string;
  readonly identifier: string;
}

/**
 * Finds the files that words and patterns name, with their identifiers as in an upload. Prints the problems of the others.
 * @throws Usage
 */
export async function nameFiles(
  { io, output, interrupted }: Pick<Context, 'io' | 'output' | 'interrupted'>,
  { identifierTemplate, separator }: Pick<Service, 'identifierTemplate' | 'separator'>,
  words: readonly string[],
  { as, to = '', include = [], exclude = [] }: Pick<SendOptions, 'as' | 'to'> & Narrowing,
): Promise<{ named: NamedFile[]; codes: ExitCode[] }> {
  const { files, refused } = await findFiles(io, words, { include, exclude }, interrupted);
  const named: NamedFile[] = [];
  const problems: Problems['problems'][number][] = [];
  const date = localDate(io.clock.nowMs());
  const prefix = to === '' ? '' : to + separator;
  const needsHash = as === undefined && usesHash(identifierTemplate);
  const hashes = new Map<LocalFile, string>();
  if (needsHash)
    for await (const digested of digestFiles(
      files.filter(({ trouble }) => trouble === null),
      interrupted,
    ))
      if ('sha256' in digested) hashes.set(digested.file, digested.sha256.slice(0, 8));
  const taken = new Map<string, LocalFile>();
  for (const file of files) {
    const at = file.relative.lastIndexOf('/');
    const fileName = file.relative.slice(at + 1);
    const folder = file.relative.slice(0, Math.max(at, 0));
    const hash8 = needsHash ? (hashes.get(file) ?? null) : '';
    const identifier =
      as ??
      prefix + fillTemplate(identifierTemplate, { folder, fileName, date, hash8: hash8 ?? '', separator });
    const before = taken.get(identifier);
    const problem = file.trouble ?? (hash8 === null ? 'unreadable' : before ? 'sameIdentifier' : null);
    if (problem === null) {
      taken.set(identifier, file);
      named.push({ path: file.path, identifier });
    } else problems.push({ fileName: file.relative, problem: { code: problem } });
  }
  if (as !== undefined && files.length !== 1) throw new Usage(texts.oneFileOnly({ name: words[0] ?? '' }));
  return { named, codes: sayProblems({ output }, { problems, problemCount: problems.length, refused }) };
}
