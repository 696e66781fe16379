import { useEffect, useState } from 'react';
import type { Output } from '../../../../shared/contract.ts';
import type { AppError } from '../../../../shared/errors.ts';
import { formatTime, sizeTexts } from '../../../../shared/i18n/format.ts';
import { useClient } from '../../../app/client.ts';
import { asAppError } from '../../../app/remote-store.ts';
import { commonTexts } from '../../../i18n/common-texts.ts';
import { errorLine } from '../../../../shared/i18n/error-text.ts';
import { versionTexts as texts } from '../../../i18n/detail-texts.ts';
import { Button } from '../../../ui/Button.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { briefLeaf, splitIdentifier } from '../../../ui/identifier-parts.ts';
import { Select } from '../../../ui/Select.tsx';
import { objectTexts } from '../../../i18n/object-texts.ts';
import { transferTexts } from '../../../i18n/transfer-texts.ts';

/** As returned by `objects.get`, newest first. */
export type ListedVersions = NonNullable<Output<'objects.get'>['versions']>;
type Compared = Output<'objects.compareVersions'>;
type Result = { leftId: number; rightId: number; answer?: Compared; error?: AppError };
type Listed = ListedVersions[number]['object'];

type Props = {
  /** Newest first; at least two. */
  versions: ListedVersions;
  separator: string;
  onClose: () => void;
};

/**
 * Two versions side by side: their facts, and the differences between texts. Fetches objects only for the latter.
 */
export function CompareVersions({ versions, separator, onClose }: Props) {
  const client = useClient();
  const [rightId, setRightId] = useState(versions[0]?.object.id ?? 0);
  const [leftId, setLeftId] = useState(versions[1]?.object.id ?? 0);
  const [result, setResult] = useState<Result | null>(null);
  const find = (id: number) => versions.find(({ object }) => object.id === id)?.object;
  const [left, right] = [find(leftId), find(rightId)];

  useEffect(() => {
    let live = true;
    const ids: [number, number] = [leftId, rightId];
    client.call('objects.compareVersions', { ids }).then(
      (answer) => live && setResult({ leftId, rightId, answer }),
      (cause: unknown) => live && setResult({ leftId, rightId, error: asAppError(cause) }),
    );
    return () => {
      live = false;
    };
  }, [client, leftId, rightId]);
  // Ignore the result for two other versions.
  const current = result?.leftId === leftId && result.rightId === rightId ? result : null;

  const options = versions.map(({ object }) => ({
    value: object.id,
    label: briefLeaf(splitIdentifier(object.identifier, separator).leaf),
  }));
  return (
    <Dialog
      isOpen
      size="wide"
      title={texts.compareTitle}
      onClose={onClose}
      buttons={
        <Button kind="primary" size="large" onPress={onClose}>
          {commonTexts.close}
        </Button>
      }
    >
      <table className="two figures">
        <thead>
          <tr>
            <th scope="col">
              <span className="visually-hidden">{transferTexts.compare.fact}</span>
            </th>
            <th scope="col">
              <Select
                label={texts.older}
                labelPlace="hidden"
                value={leftId}
                options={options}
                onChange={setLeftId}
              />
            </th>
            <th scope="col">
              <Select
                label={texts.newer}
                labelPlace="hidden"
                value={rightId}
                options={options}
                onChange={setRightId}
              />
            </th>
          </tr>
        </thead>
        <tbody>
          <tr>
            <th scope="row">{objectTexts.column.size}</th>
            <td>{sizeOf(left)}</td>
            <td>{sizeOf(right)}</td>
          </tr>
          <tr>
            <th scope="row">{objectTexts.column.stored}</th>
            <td>{storedOf(left)}</td>
            <td>{storedOf(right)}</td>
          </tr>
          <tr>
            <th scope="row">{texts.sha256}</th>
            <td>{digestOf(left)}</td>
            <td>{digestOf(right)}</td>
          </tr>
        </tbody>
      </table>
      <output className="two__lines">
        {current?.error === undefined ? linesOf(current?.answer ?? null) : <p>{errorLine(current.error)}</p>}
      </output>
    </Dialog>
  );
}

function linesOf(compared: Compared | null) {
  if (compared === null) return <p>{texts.comparing}</p>;
  const { digest, lines, problem } = compared;
  if (digest === 'same') return <p>{texts.same}</p>;
  if (problem !== null) {
    const { onlyText, tooLarge, notThere } = texts;
    const why = { type: onlyText, size: tooLarge, state: notThere, storing: notThere }[problem];
    return (
      <p>
        <b>{texts.digest[digest]}.</b> {why}
      </p>
    );
  }
  if (lines === null) return <p>{texts.tooDifferent}</p>;
  return (
    // Long text can be scrolled with the keyboard.
    <pre className="diff" {...scrollableRegion} aria-label={texts.lines}>
      {lines.map(({ kind, text }, at) => (
        // Lines have no ids and never change.
        <span key={at} className={`diff__line diff__line--${kind}`}>
          {kind === 'added' && <span className="visually-hidden">{texts.added}</span>}
          {kind === 'removed' && <span className="visually-hidden">{texts.removed}</span>}
          {kind === 'skipped' ? '…' : text}
          {'\n'}
        </span>
      ))}
    </pre>
  );
}

const scrollableRegion = { role: 'region', tabIndex: 0 } as const;

function sizeOf(row: Listed | undefined) {
  if (row === undefined || row.lengthBytes === null) return '–';
  const { short, exact } = sizeTexts(row.lengthBytes);
  return (
    <>
      {short} {exact !== null && <span className="two__dim">({exact})</span>}
    </>
  );
}

function storedOf(row: Listed | undefined) {
  if (row === undefined) return '–';
  return row.storedAtMs === null ? texts.byOther : formatTime(row.storedAtMs);
}

function digestOf(row: Listed | undefined) {
  const sha256 = row?.sha256 ?? null;
  if (sha256 === null) return <span className="two__dim">{commonTexts.notKnown}</span>;
  return <code title={sha256}>{`${sha256.slice(0, 8)} ${sha256.slice(8, 12)}…${sha256.slice(-8)}`}</code>;
}
