import type { Command, Help } from 'commander';
import { inOneLine } from '../../shared/domain/legible.ts';
import { usualColumns } from './output.ts';

/** Terminals with fewer columns get descriptions and details on lines of their own. */
const narrowColumns = 64;
const minWrapColumns = 20;

/** A line of a list. In a narrow terminal the name gets its own line, so that nothing is broken. @param cells padded */
export function rowOf(
  { columns }: { columns: number | null },
  cells: readonly string[],
  name: string,
  after: readonly string[] = [],
): string {
  const shown = inOneLine(name);
  if (columns === null || columns >= narrowColumns) return [...cells, shown, ...after].join('  ');
  const details = [...cells, ...after].map((cell) => cell.trim()).filter((cell) => cell !== '');
  return `${shown}\n  ${details.join('  ')}`;
}

export const helpLayout: Partial<Help> = {
  showGlobalOptions: true,
  minWidthToWrap: minWrapColumns,
  formatItem(term, termWidth, description, helper) {
    const { helpWidth = narrowColumns } = helper;
    if (description === '') return `  ${term}`;
    if (helpWidth < narrowColumns) {
      const indent = ' '.repeat(6);
      return `  ${term}\n${indentOf(helper.boxWrap(description, helpWidth - indent.length), indent)}`;
    }
    const left = `  ${term.padEnd(termWidth)}  `;
    const wrapped = helper.boxWrap(description, helpWidth - left.length);
    return left + wrapped.replaceAll('\n', `\n${' '.repeat(left.length)}`);
  },
};

function indentOf(text: string, indent: string): string {
  return text.replaceAll(/^/gm, indent);
}

/** A note below the help of a command, wrapped except for its examples, which are indented. */
export function noteOf(command: Command, note: string): string {
  const columns = command.configureOutput().getOutHelpWidth?.() ?? usualColumns;
  const help = command.createHelp();
  const lines = note.split('\n').map((line) => (line.startsWith(' ') ? line : help.boxWrap(line, columns)));
  return `\n${lines.join('\n')}`;
}
