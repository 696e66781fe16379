import { separatorDefault, versionMarkDefault } from '../domain/service.ts';
import { checkVersionMark, versionIdentifier, type VersionMarkProblem } from '../domain/versions.ts';
import { messages } from './messages.ts';

/** The text between a name and its extension in the names of versions. */
const texts = messages('versionMark', {
  hint: 'The second version of {first} is {second}.',
  problem: {
    number: 'Write {number} once, where the number of the version goes.',
    nothingBefore: 'Put a character before {number} that isn’t a digit.',
    separator: 'It can’t contain the folder separator.',
    dot: 'It can’t contain a dot, which would begin an extension.',
    characters: 'It contains an invalid character.',
  } as const satisfies Record<VersionMarkProblem, string>,
});

const example = 'report.docx';
const number = '{number}';

/** undefined: no hint. */
export function versionMarkHint(mark: string, separator: string): string | undefined {
  if (checkVersionMark(mark || versionMarkDefault, separator || separatorDefault) !== null) return undefined;
  const second = versionIdentifier(example, separator, mark || versionMarkDefault, 2);
  return texts.hint({ first: example, second });
}

/** undefined: valid; empty means the default. */
export function versionMarkProblem(mark: string, separator: string): string | undefined {
  const problem = checkVersionMark(mark || versionMarkDefault, separator || separatorDefault);
  return problem === null ? undefined : versionMarkProblemText(problem);
}

/** @param problem a VersionMarkProblem, as in an error */
export function versionMarkProblemText(problem: string): string {
  const known: Readonly<Record<string, string | ((values: { number: string }) => string)>> = texts.problem;
  const text = known[problem] ?? texts.problem.number;
  return typeof text === 'string' ? text : text({ number });
}
