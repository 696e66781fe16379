import { readBelow, withoutEnd, type ChoiceOptions } from '../objects/choose-objects.ts';
import type { Run } from '../context.ts';
import { Usage } from '../errors/errors.ts';
import { exitCodeOfAll, exitCodes, type ExitCode } from '../errors/exit-code.ts';
import { findFilesIn } from '../files/find-files.ts';
import { compileNarrowing, hasWildcard } from '../files/patterns.ts';
import type { NamesFrom } from '../files/read-names.ts';
import { compareWithList, identifiersBelow, isWithoutFile, type Difference } from '../sync/compare.ts';
import { syncTexts as texts } from '../sync/texts.ts';
import { sayWhatIsLeftOut } from './sync.ts';

const codeOf: Readonly<Record<Difference | 'noFile', ExitCode>> = {
  absent: exitCodes.notFound,
  differs: exitCodes.error,
  unknown: exitCodes.error,
  noFile: exitCodes.notFound,
};

/** `coffer check FOLDER/ --against DIR`: compares files with the list, by digest, and the list with the files. */
export function checkAgainst(
  words: readonly string[],
  directory: string,
  options: ChoiceOptions & NamesFrom,
): Run {
  return async (context) => {
    const { io, output, hasList, interrupted } = context;
    const [folder = '', ...more] = words;
    const isList = options.filesFrom !== undefined || options.null === true;
    if (more.length > 0 || folder === '' || hasWildcard(folder) || isList) throw new Usage(texts.oneAgainst);
    if (!hasList) throw new Usage(texts.againstNeedsList);
    const service = await context.service();
    const to = withoutEnd(folder, service.separator);
    const isWanted = compileNarrowing(options, '/');
    const identifierOf = identifiersBelow(to, service.separator);
    const [found, rows] = await Promise.all([
      findFilesIn(io, directory, options, interrupted),
      readBelow(context, service, to),
    ]);
    const comparison = await compareWithList(
      found.files.filter(({ relative }) => isWanted(relative)),
      rows,
      { naming: service, ifExists: 'newVersion', identifierOf, signal: interrupted },
    );
    const codes = sayWhatIsLeftOut(context, comparison, found);
    const { unchanged: same, changed } = comparison;
    const identifiers = new Set(found.files.map(identifierOf));
    const withoutFile = rows.filter((row) => isWithoutFile(row, identifiers, service, to, isWanted));
    const differences = [
      ...changed.map(({ identifier, why }) => ({ identifier, comparison: why })),
      ...withoutFile.map(({ identifier }) => ({ identifier, comparison: 'noFile' as const })),
    ];
    for (const each of differences) {
      output.result(texts.result[each.comparison]({ identifier: each.identifier }), each);
      codes.push(codeOf[each.comparison]);
    }
    const absent = changed.filter(({ why }) => why === 'absent').length;
    const sums = { same, different: changed.length - absent, absent, noFile: withoutFile.length };
    output.result(texts.compared(sums), sums);
    return exitCodeOfAll(same > 0 ? [...codes, exitCodes.done] : codes);
  };
}
