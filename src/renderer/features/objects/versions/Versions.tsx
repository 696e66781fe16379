import { Fragment, useCallback, useState } from 'react';
import type { ObjectRow } from '../../../../shared/contract.ts';
import { versionMarkDefault } from '../../../../shared/domain/service.ts';
import { newestStored } from '../../../../shared/domain/versions.ts';
import { formatMoment, formatSize } from '../../../../shared/i18n/format.ts';
import { useClient, type Client } from '../../../app/client.ts';
import { DialogPane } from '../../../app/Pane.tsx';
import { useActiveService } from '../../../app/stores.ts';
import { useAct } from '../../../app/use-act.ts';
import { useUndoCopies } from '../../../app/use-replaced-versions.ts';
import { errorLine } from '../../../../shared/i18n/error-text.ts';
import { versionTexts as texts } from '../../../i18n/detail-texts.ts';
import { announce } from '../../../ui/announce.tsx';
import { Button, IconButton } from '../../../ui/Button.tsx';
import { splitIdentifier, splitLeaf } from '../../../ui/identifier-parts.ts';
import { ActionDialogs } from '../actions/ActionDialogs.tsx';
import { select } from '../state/browser-store.ts';
import { CompareVersions, type ListedVersions } from './CompareVersions.tsx';
import { ReplacedVersion, type UndoCopy } from './ReplacedVersion.tsx';
import { selectIds } from '../state/selection.ts';
import { useObjectActions } from '../actions/use-object-actions.ts';
import './versions.css';

type Props = {
  object: ObjectRow;
  versions: ListedVersions;
  separator: string;
  nowMs: number;
};

/**
 * The known versions of an object if it has several, newest first; above them one that is being stored, without the
 * mark. What was replaced under the identifier that Details shows follows it.
 */
export function Versions({ object, versions, separator, nowMs }: Props) {
  const client = useClient();
  const act = useAct();
  /** Number of versions found by the last check. */
  const [found, setFound] = useState<number | null>(null);
  const [isComparing, setComparing] = useState(false);
  const { id, kind } = object;
  const copies = useReplaced(id);
  const newest = newestStored(versions.map((version) => version.object).toReversed())?.id;
  const comparable = versions.filter((version) => version.object.state === 'stored');
  if (versions.length < 2 && copies.length === 0) return null;
  const replaced = copies.map((copy) => <ReplacedVersion key={copy.id} copy={copy} nowMs={nowMs} />);

  function check() {
    void act.run(async () => {
      setFound(null);
      setFound((await client.call('objects.findVersions', { id })).added);
    });
  }

  return (
    <section className="section" aria-label={texts.head}>
      <h3 className="section__head">
        <span>
          {texts.head} <span className="versions__count figures">{versions.length + copies.length}</span>
        </span>
        {kind === 'data' && comparable.length > 1 && (
          <Button kind="link" size="small" onPress={() => setComparing(true)}>
            {texts.compare}
          </Button>
        )}
      </h3>
      <ul className="versions">
        {/* A deleted object is no version any more, but what it replaced is kept. */}
        {versions.every((version) => version.object.id !== id) && replaced}
        {versions.map(({ number, object: row }) => (
          <Fragment key={row.id}>
            <VersionRow
              row={row}
              number={number}
              separator={separator}
              nowMs={nowMs}
              isNewest={row.id === newest}
              isShown={row.id === id}
            />
            {row.id === id && replaced}
          </Fragment>
        ))}
      </ul>
      {kind === 'data' && versions.length > 1 && (
        <Button kind="link" size="small" className="versions__look" isPending={act.isRunning} onPress={check}>
          {texts.look}
        </Button>
      )}
      <output className="versions__found">{found !== null && texts.found({ count: found })}</output>
      {act.error !== null && (
        <p className="versions__error" role="alert">
          {errorLine(act.error)}
        </p>
      )}
      {isComparing && (
        <DialogPane onClose={() => setComparing(false)}>
          <CompareVersions versions={comparable} separator={separator} onClose={() => setComparing(false)} />
        </DialogPane>
      )}
    </section>
  );
}

/** What a Replace kept of an object, newest first. */
function useReplaced(objectId: number): readonly UndoCopy[] {
  const ask = useCallback((client: Client) => client.call('undo.ofObject', { objectId }), [objectId]);
  return useUndoCopies(ask)?.versions ?? [];
}

type RowProps = {
  row: ObjectRow;
  number: number;
  separator: string;
  nowMs: number;
  isNewest: boolean;
  /** Whether Details shows this version. */
  isShown: boolean;
};

function VersionRow({ row, number, separator, nowMs, isNewest, isShown }: RowProps) {
  const client = useClient();
  const actions = useObjectActions({ kind: 'ids', ids: [row.id] });
  const { identifier, lengthBytes, state, kind } = row;
  const { leaf } = splitIdentifier(identifier, separator);
  const canFetch = kind === 'data' && state === 'stored';
  const opens = actions.opens(row);

  function makeCurrent() {
    void actions.act.run(async () => {
      const { base } = await client.call('objects.makeCurrent', { id: row.id });
      announce(texts.madeCurrent({ identifier: base }), 'polite', { isOnScreen: true });
    });
  }

  return (
    <li className={`version ${isShown ? 'is-shown' : ''}`} aria-current={isShown || undefined}>
      <div className="version__name">
        <Button
          kind="link"
          size="small"
          aria-label={texts.show({ identifier: leaf })}
          onPress={() => select(selectIds([row.id]))}
        >
          <MarkedName leaf={leaf} number={number} />
        </Button>
        {isNewest && <span className="version__newest">{texts.newest}</span>}
      </div>
      <p className="version__fact">
        <VersionFact row={row} nowMs={nowMs} />
      </p>
      <span className="version__size figures">{lengthBytes === null ? '–' : formatSize(lengthBytes)}</span>
      {canFetch && (
        <span className="version__acts">
          <IconButton
            size="small"
            icon={opens ? 'file' : 'folder'}
            label={texts[opens ? 'open' : 'showCopy']({ identifier: leaf })}
            onPress={() => actions.open(row)}
          />
          <IconButton
            size="small"
            icon="download"
            label={texts.download({ identifier: leaf })}
            onPress={() => actions.download()}
          />
          {!isNewest && (
            <IconButton
              size="small"
              icon="top"
              label={texts.makeCurrent({ identifier: leaf })}
              isPending={actions.act.isRunning}
              onPress={makeCurrent}
            />
          )}
        </span>
      )}
      {actions.act.error !== null && (
        <p className="versions__error" role="alert">
          {errorLine(actions.act.error)}
        </p>
      )}
      <ActionDialogs actions={actions} serviceId={row.serviceId} separator={separator} serviceName="" />
    </li>
  );
}

/** The distinguishing part is bold and never truncated. */
function MarkedName({ leaf, number }: { leaf: string; number: number }) {
  const versionMark = useActiveService()?.versionMark ?? versionMarkDefault;
  const mark = versionMark.replace('{number}', String(number));
  const at = number === 1 ? -1 : leaf.lastIndexOf(mark);
  const [head, tail] = at < 0 ? splitLeaf(leaf) : [leaf.slice(0, at), leaf.slice(at + mark.length)];
  return (
    <bdi dir="ltr" className="version__leaf">
      <span dir="auto">{head}</span>
      {at >= 0 && <b>{mark}</b>}
      {tail}
    </bdi>
  );
}

function VersionFact({ row, nowMs }: { row: ObjectRow; nowMs: number }) {
  const { state, storedAtMs, checkedAtMs } = row;
  if (state === 'uploading') return <span className="version__moving">{texts.storing}</span>;
  if (storedAtMs !== null) return <>{texts.storedAt({ time: formatMoment(storedAtMs, nowMs) })}</>;
  if (checkedAtMs === null) return <>{texts.byOther}</>;
  return <>{texts.byOtherSeen({ time: formatMoment(checkedAtMs, nowMs) })}</>;
}
