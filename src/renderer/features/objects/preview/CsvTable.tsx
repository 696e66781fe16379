import Papa from 'papaparse';
import { type ReactNode, useMemo } from 'react';
import { csvSeparators } from '../../../../shared/contract/object-shapes.ts';
import { detailTexts as texts } from '../../../i18n/detail-texts.ts';
import { scrollable } from '../../../ui/scrollable.ts';

/** More would take seconds to lay out. */
const maxRows = 500;
const maxColumns = 50;
const maxCellLetters = 1000;
const figures = /^[-+]?[\d.,’'\s]*\d\s?%?$/;

type Props = {
  text: string;
  /** '': as in its first lines. */
  separator?: string;
  label: string;
  /** Shown in its place if there is no table in it. */
  unread: ReactNode;
};

/** CSV as a table, whose first row names the columns. */
export function CsvTable({ text, separator = '', label, unread }: Props) {
  const { head, rows, isCut, isNarrowed, figureColumns } = useMemo(
    () => read(text, separator),
    [text, separator],
  );
  if (head.length === 0) return unread;
  const classOf = (column: number) => (figureColumns.has(column) ? 'figure' : '');
  return (
    <>
      <div {...scrollable} className="preview__scroll selectable" aria-label={label}>
        <table className="csv">
          <thead>
            <tr>
              {head.map((cell, column) => (
                <th key={column} scope="col" dir="auto" className={classOf(column)}>
                  {cell}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((cells, row) => (
              <tr key={row}>
                {head.map((_, column) => (
                  <td key={column} dir="auto" className={classOf(column)}>
                    {cells[column]?.slice(0, maxCellLetters)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {(isCut || isNarrowed) && (
        <figcaption>
          {isNarrowed
            ? texts.firstCells({ rows: rows.length, columns: head.length })
            : texts.firstRows({ count: rows.length })}
        </figcaption>
      )}
    </>
  );
}

function read(text: string, separator: string) {
  const { data } = Papa.parse<string[]>(text, {
    delimiter: separator,
    delimitersToGuess: [...csvSeparators],
    // One for the names of the columns, and one to know whether there are more.
    preview: maxRows + 2,
    skipEmptyLines: true,
  });
  const [names = [], ...rows] = data;
  const shown = rows.slice(0, maxRows);
  const head = names.slice(0, maxColumns).map((name) => name.slice(0, maxCellLetters));
  const figureColumns = new Set(
    [...head.keys()].filter((column) => shown.length > 0 && shown.every((cells) => isFigure(cells[column]))),
  );
  return {
    head,
    rows: shown,
    isCut: rows.length > maxRows,
    isNarrowed: names.length > maxColumns,
    figureColumns,
  };
}

function isFigure(cell = ''): boolean {
  return cell.length < 40 && (cell === '' || figures.test(cell));
}
