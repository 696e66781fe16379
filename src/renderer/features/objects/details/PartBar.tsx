import type { PartsShown, PartState } from '../../../../shared/contract.ts';
import { formatSize } from '../../../../shared/i18n/format.ts';
import { useLanguage } from '../../../app/use-language.ts';
import { partTexts as texts } from '../../../i18n/detail-texts.ts';
import { cellsOf, countsOf } from './part-cells.ts';
import './part-bar.css';

/** The chunks of an object: a cell for each in file order, and their states in words. */
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
