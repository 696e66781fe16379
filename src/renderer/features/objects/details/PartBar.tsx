import { useEffect, useState } from 'react';
import type { ObjectRow, PartState, PartsShown } from '../../../../shared/contract.ts';
import { useClient } from '../../../app/client.ts';
import { formatSize } from '../../../../shared/i18n/format.ts';
import { useLanguage } from '../../../app/use-language.ts';
import { partTexts as texts } from '../../../i18n/detail-texts.ts';
import './part-bar.css';

/** The parts of an object, reloaded after each check and while it is transferred; null: it is stored whole. */
export function useObjectParts(object: ObjectRow): PartsShown | null {
  const client = useClient();
  const [shown, setShown] = useState<{ id: number; parts: PartsShown | null } | null>(null);
  const { id, kind } = object;
  const mayBeInParts = kind === 'data' && (object.parts !== undefined || object.transfer !== null);
  const isMoving = object.transfer !== null;

  useEffect(() => {
    if (!mayBeInParts) return undefined;
    let live = true;
    const ask = () => {
      client.call('objects.parts', { id }).then(
        ({ parts }) => live && setShown({ id, parts }),
        // The object itself shows the error.
        () => undefined,
      );
    };
    ask();
    const timer = isMoving ? setInterval(ask, 1000) : undefined;
    return () => {
      live = false;
      clearInterval(timer);
    };
  }, [client, id, mayBeInParts, isMoving, object]);

  return mayBeInParts && shown?.id === id ? shown.parts : null;
}

/** Maximum number of cells; above it, one cell stands for several parts. */
const maxCells = 1000;
/** Order of the words below the bar. */
const order: readonly PartState[] = ['missing', 'there', 'sent', 'here', 'moving', 'toSend', 'toReceive'];
/** A cell for several parts shows the first of these states that occurs. */
const loudest: readonly PartState[] = ['missing', 'moving', 'toSend', 'toReceive', 'sent', 'here', 'there'];

/** One cell per part, or per several parts. */
export function cellsOf({ total, runs }: PartsShown): PartState[] {
  const each = Math.ceil(total / maxCells);
  const cells: PartState[] = [];
  let at = 0;
  for (const { state, count } of runs) {
    const last = Math.floor((at + count - 1) / each);
    for (let cell = Math.floor(at / each); cell <= last; cell += 1) {
      const before = cells[cell];
      if (before === undefined || loudest.indexOf(state) < loudest.indexOf(before)) cells[cell] = state;
    }
    at += count;
  }
  return cells;
}

/** The number of parts in each state that occurs. */
export function countsOf({ runs }: PartsShown): { state: PartState; count: number }[] {
  return order.flatMap((state) => {
    const count = runs.reduce((sum, run) => sum + (run.state === state ? run.count : 0), 0);
    return count === 0 ? [] : [{ state, count }];
  });
}

/** The parts of an object: a cell for each in file order, and their states in words. */
export function PartBar({ parts }: { parts: PartsShown }) {
  useLanguage();
  const { total, partBytes } = parts;
  const cells = cellsOf(parts);
  return (
    <section className="section parts" aria-label={texts.label}>
      <h3 className="section__head">
        <span>
          {texts.label} <span className="parts__count figures">{texts.count({ count: total })}</span>
        </span>
        <span className="parts__size figures">{texts.size({ size: formatSize(partBytes) })}</span>
      </h3>
      <div className="parts__bar" aria-hidden="true">
        {cells.map((state, at) => (
          // A cell is identified by its position.
          <i key={at} className={cellClass(state)} />
        ))}
      </div>
      <ul className="parts__legend figures">
        {countsOf(parts).map(({ state, count }) => (
          <li key={state}>
            <i className={cellClass(state)} aria-hidden="true" />
            {texts.states[state]({ count })}
          </li>
        ))}
      </ul>
      {cells.length < total && (
        <p className="parts__note">{texts.several({ count: Math.ceil(total / cells.length) })}</p>
      )}
    </section>
  );
}

const classes: Readonly<Record<PartState, string>> = {
  there: 'there',
  missing: 'missing',
  sent: 'done',
  here: 'done',
  moving: 'moving',
  toSend: 'open',
  toReceive: 'open',
};

function cellClass(state: PartState): string {
  return `part part--${classes[state]}`;
}
