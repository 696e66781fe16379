import type { ReactNode } from 'react';
import { commonTexts } from '../../i18n/common-texts.ts';
import { transferTexts } from '../../i18n/transfer-texts.ts';
import type { ConflictPrompt } from '../../../shared/domain/transfer-summary.ts';
import { ClassBadge } from '../../app/classification/ClassBadge.tsx';
import { formatTime, sizeTexts } from '../../../shared/i18n/format.ts';
import { Icon } from '../../ui/Icon.tsx';
import { objectTexts } from '../../i18n/object-texts.ts';

const texts = transferTexts.compare;

/** The local and the stored object side by side, then the verdict; differences are bold. */
export function Comparison({ prompt: { yours, stored, replacing, keeps } }: { prompt: ConflictPrompt }) {
  return (
    <table className="compare figures">
      <thead>
        <tr>
          <th scope="col">
            <span className="visually-hidden">{texts.fact}</span>
          </th>
          <th scope="col">
            <Icon name="laptop" />
            {texts.yours}
          </th>
          <th scope="col">
            <Icon name="server" />
            {texts.stored}
          </th>
          <th scope="col">
            <span className="visually-hidden">{texts.difference}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        <Line label={objectTexts.column.size} verdict={compareLengths(yours.lengthBytes, stored.lengthBytes)}>
          {[
            <Length key="yours" bytes={yours.lengthBytes} />,
            <Length key="stored" bytes={stored.lengthBytes} />,
          ]}
        </Line>
        {/* No verdict: the file and the service use different clocks. */}
        <Line label={texts.date} verdict={null}>
          {[
            texts.changedAt({ time: formatTime(yours.modifiedAtMs) }),
            stored.storedAtMs === null ? '–' : texts.storedAt({ time: formatTime(stored.storedAtMs) }),
          ]}
        </Line>
        <Line
          label={objectTexts.column.classification}
          verdict={stored.known && !keeps ? sameOrNot(yours.classification === stored.classification) : null}
        >
          {[
            keeps ? texts.notChosen : <Classification key="yours" value={yours.classification} />,
            stored.known ? <Classification key="stored" value={stored.classification} /> : '–',
          ]}
        </Line>
      </tbody>
      {(replacing || !stored.known) && (
        <caption>{replacing ? texts.replacing[replacing] : texts.unknown}</caption>
      )}
    </table>
  );
}

function Line({
  label,
  verdict,
  children,
}: {
  label: string;
  verdict: string | null;
  children: ReactNode[];
}) {
  const [yours, stored] = children;
  return (
    <tr>
      <th scope="row">{label}</th>
      <td>{yours}</td>
      <td>{stored}</td>
      <td className={verdict === null || verdict === texts.same ? 'compare__same' : 'compare__differs'}>
        {verdict ?? '–'}
      </td>
    </tr>
  );
}

function Length({ bytes }: { bytes: number | null }) {
  if (bytes === null) return <>–</>;
  const { short, exact } = sizeTexts(bytes);
  return (
    <>
      {short} {exact !== null && <span className="compare__dim">({exact})</span>}
    </>
  );
}

function Classification({ value }: { value: string | null }) {
  return value === null ? commonTexts.serviceDefault : <ClassBadge value={value} />;
}

function compareLengths(yours: number, stored: number | null): string | null {
  if (stored === null) return null;
  if (yours === stored) return texts.same;
  return yours > stored ? texts.larger : texts.smaller;
}

function sameOrNot(isSame: boolean): string {
  return isSame ? texts.same : texts.different;
}
