import type { Approval, Ask } from '../../../shared/domain/approval.ts';
import { legible } from '../../../shared/domain/legible.ts';
import { formatTime } from '../../../shared/i18n/format.ts';
import { approvalTexts as texts } from './approval-texts.ts';

/** The last segment of a path, as people call a program. */
export function programName([path = '']: readonly string[]): string {
  return legible(path.split(/[/\\]/).findLast((part) => part !== '') ?? path);
}

/** The words as typed, quoted for a shell. */
export function commandLine(words: readonly string[]): string {
  return words
    .map((word) => (/^[\w@%+=:,./~-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`))
    .map(legible)
    .join(' ');
}

type Holder = Pick<Ask | Approval, 'terminal' | 'startedBy'>;

/** `gnome-terminal, pts/2, open since 09:12`, or the program that starts commands. */
export function holderText({ terminal, startedBy }: Holder, nowMs: number): string {
  if (terminal === null) return startedBy === null ? texts.unknownProgram : legible(startedBy);
  const { name, shownBy, openSinceMs } = terminal;
  const where =
    name === ''
      ? texts.thisTerminal
      : shownBy === null
        ? texts.terminalName({ name })
        : texts.terminalOf({ name, shownBy: legible(shownBy) });
  return openSinceMs === null
    ? where
    : texts.openSince({ terminal: where, when: formatTime(openSinceMs, nowMs) });
}
