import type { ReactNode } from 'react';
import type { Question } from '../../../shared/domain/transfer.ts';
import { ClassBadge } from '../../app/classification/ClassBadge.tsx';
import { formatExactBytes, formatSize, formatTime } from '../../i18n/format.ts';
import { Icon } from '../../ui/Icon.tsx';

/** Yours beside the stored one, the verdict last; only what differs is strong. */
export function Comparison({ question: { yours, stored } }: { question: Question }) {
  return (
    <table className="compare figures">
      <thead>
        <tr>
          <th scope="col">
            <span className="visually-hidden">Fact</span>
          </th>
          <th scope="col">
            <Icon name="laptop" />
            Yours
          </th>
          <th scope="col">
            <Icon name="server" />
            Stored
          </th>
          <th scope="col">
            <span className="visually-hidden">Difference</span>
          </th>
        </tr>
      </thead>
      <tbody>
        <Line
          label="Size"
          verdict={compareNumbers(yours.lengthBytes, stored.lengthBytes, 'larger', 'smaller')}
        >
          {[
            <Length key="yours" bytes={yours.lengthBytes} />,
            <Length key="stored" bytes={stored.lengthBytes} />,
          ]}
        </Line>
        <Line label="Date" verdict={compareNumbers(yours.modifiedAtMs, stored.storedAtMs, 'newer', 'older')}>
          {[
            `Changed ${formatTime(yours.modifiedAtMs)}`,
            stored.storedAtMs === null ? '–' : `Stored ${formatTime(stored.storedAtMs)}`,
          ]}
        </Line>
        <Line label="SHA-256" verdict={compareDigests(yours.sha256, stored.sha256)}>
          {[<Digest key="yours" sha256={yours.sha256} />, <Digest key="stored" sha256={stored.sha256} />]}
        </Line>
        <Line
          label="Class"
          verdict={
            !stored.known ? null : yours.classification === stored.classification ? 'Same' : 'Different'
          }
        >
          {[
            <Classification key="yours" value={yours.classification} />,
            stored.known ? <Classification key="stored" value={stored.classification} /> : '–',
          ]}
        </Line>
      </tbody>
      <caption>
        {stored.known
          ? 'The service confirmed the stored size just now. The rest is what Coffer noted when it was stored.'
          : 'Coffer did not put it there, so the service tells no more than its size.'}
      </caption>
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
      <td className={verdict === null || verdict === 'Same' ? 'compare__same' : 'compare__differs'}>
        {verdict ?? '–'}
      </td>
    </tr>
  );
}

function Length({ bytes }: { bytes: number | null }) {
  if (bytes === null) return <>–</>;
  return (
    <>
      {formatSize(bytes)} <span className="compare__dim">({formatExactBytes(bytes)})</span>
    </>
  );
}

function Classification({ value }: { value: string | null }) {
  return value === null ? 'Service default' : <ClassBadge value={value} />;
}

function Digest({ sha256 }: { sha256: string | null }) {
  if (sha256 === null) return <span className="compare__dim">Not known</span>;
  return <code title={sha256}>{`${sha256.slice(0, 8)} ${sha256.slice(8, 12)}…${sha256.slice(-8)}`}</code>;
}

function compareNumbers(yours: number, stored: number | null, more: string, less: string): string | null {
  if (stored === null) return null;
  if (yours === stored) return 'Same';
  return `Yours is ${yours > stored ? more : less}`;
}

function compareDigests(yours: string | null, stored: string | null): string | null {
  if (yours === null || stored === null) return null;
  return yours === stored ? 'Same' : 'Different';
}
