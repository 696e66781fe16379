import { useCallback, useMemo, useRef, useState } from 'react';
import type { ObjectFailure as Facts, ObjectRow } from '../../../../shared/contract.ts';
import type { AppError } from '../../../../shared/errors.ts';
import { errorLine, errorText } from '../../../../shared/i18n/error-text.ts';
import { formatIso, formatMoment } from '../../../../shared/i18n/format.ts';
import { commonTexts } from '../../../i18n/common-texts.ts';
import { detailTexts as texts } from '../../../i18n/detail-texts.ts';
import { Button } from '../../../ui/Button.tsx';
import { splitIdentifier } from '../../../ui/identifier-parts.ts';
import { type Failure, showFailure } from '../../../app/dock-list/failure-store.ts';
import { remediesOf } from '../../../app/dock-list/remedies.ts';
import { useFailureActs } from '../../../app/dock-list/use-remedies.ts';
import { dockTexts } from '../../../i18n/dock-texts.ts';
import { failureFacts, failureText } from '../../../i18n/ending-text.ts';
import { whereText } from '../../../i18n/replace-texts.ts';
import { Icon } from '../../../ui/Icon.tsx';
import { objectTexts } from '../../../i18n/object-texts.ts';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { Slot } from '../../../app/slots.tsx';
import { useActiveService } from '../../../app/stores.ts';
import { useNow } from '../../../app/use-now.ts';
import { ActionDialogs } from '../actions/ActionDialogs.tsx';
import { OpenButton } from '../actions/OpenButton.tsx';
import { useBrowser } from '../state/browser-store.ts';
import { historyText } from '../versions/history-text.ts';
import { Preview } from '../preview/Preview.tsx';
import { canOpen, countsSeconds } from '../state/row-state.ts';
import { countSelected, onlyId, toWire } from '../state/selection.ts';
import { Versions } from '../versions/Versions.tsx';
import { useObjectActions } from '../actions/use-object-actions.ts';
import { usePreviewChoices } from '../preview/use-preview-choices.ts';
import { CopyButton } from './Field.tsx';
import { DetailFields, useObjectDetails } from './DetailFields.tsx';
import { Note } from './Note.tsx';
import { PartBar, useObjectParts } from './PartBar.tsx';
import { SecretFacts } from './SecretFacts.tsx';
import { SelectionDetails } from './SelectionDetails.tsx';
import './details.css';

/**
 * The last segment of an identifier above its folders, each limited to three lines until expanded. Use the object's
 * id as key.
 */
function DetailsName({ identifier, separator }: { identifier: string; separator: string }) {
  const { folders, leaf } = splitIdentifier(identifier, separator);
  const [isWhole, setWhole] = useState(false);
  const [name, isNameCut] = useIsCut();
  const [folder, isFolderCut] = useIsCut();
  const cut = (isCut: boolean) => (isWhole ? '' : isCut ? 'details__cut is-cut' : 'details__cut');
  return (
    <header className="details__head">
      <div className="details__name">
        <h2 ref={name} dir="ltr" className={`details__title selectable ${cut(isNameCut)}`}>
          {leaf === '' ? identifier : leaf}
        </h2>
        <CopyButton label={commonTexts.copyIdentifier} text={identifier} />
      </div>
      {leaf !== '' && folders.length > 0 && (
        <p ref={folder} dir="ltr" className={`details__folder selectable ${cut(isFolderCut)}`}>
          {folders.join('')}
        </p>
      )}
      {(isWhole || isNameCut || isFolderCut) && (
        <Button kind="link" aria-expanded={isWhole} onPress={() => setWhole(!isWhole)}>
          {isWhole ? texts.showLess : texts.showAll}
        </Button>
      )}
    </header>
  );
}

/** Whether the element with the returned ref is truncated. */
function useIsCut() {
  const [isCut, setCut] = useState(false);
  const ref = useCallback((found: HTMLElement | null) => {
    if (found === null) return undefined;
    const measure = () => setCut(found.scrollHeight > found.clientHeight);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(found);
    return () => observer.disconnect();
  }, []);
  return [ref, isCut] as const;
}

type Props = {
  object: ObjectRow;
  failure: Facts;
  /** Called after a remedy was chosen: this component, and the focus in it, disappear. */
  onActed: () => void;
};

/** Why the last transfer of an object failed, with the same remedies as in the lists of transfers and jobs. */
function ObjectFailure({
  object,
  failure: { id, list, direction, error, replacing, ...facts },
  onActed,
}: Props) {
  const failure: Failure = {
    list,
    serviceId: object.serviceId,
    name: object.identifier,
    direction,
    which: [id],
    error,
    facts: failureFacts({ error, ...facts }),
    // No remedies for secrets: the value to store is gone, and the row can read it again.
    remedies: object.kind === 'secret' ? [] : remediesOf(error.code, direction),
  };
  const { remedy } = useFailureActs(failure);
  return (
    <section className="object-failure" aria-label={dockTexts.failure[direction]}>
      <p className="object-failure__text figures selectable">
        <Icon name="fail" />
        <span>{[failureText(error, direction), ...whereText(replacing)].join(' ')}</span>
      </p>
      {(failure.remedies.length > 0 || failure.facts !== '') && (
        <p className="object-failure__do">
          {failure.remedies.length > 0 && remedy !== null && (
            <Button
              kind="line"
              size="small"
              onPress={() => {
                const [first] = failure.remedies;
                if (first === 'again' || first === 'takeIt' || first === 'remove') onActed();
                remedy.run();
              }}
            >
              {remedy.label}
            </Button>
          )}
          <Button kind="link" onPress={() => showFailure(failure)}>
            {dockTexts.failure.whole}
          </Button>
        </p>
      )}
    </section>
  );
}

/** Details of the selected object, or a summary of several. */
export function DetailsTab({ separator }: { separator: string }) {
  const selection = useBrowser((state) => state.selection);
  const folders = useBrowser((state) => state.folders);
  const query = useBrowser((state) => state.query);
  const total = useBrowser((state) => state.total);
  const isLooking = useBrowser((state) => state.isLooking);
  const count = countSelected(selection, total);
  const id = folders.size > 0 ? null : onlyId(selection);
  const wire = useMemo(
    () => (query && count + folders.size > 0 ? toWire(selection, folders, query) : null),
    [selection, folders, query, count],
  );
  const { details, error, refresh } = useObjectDetails(id);
  const pane = useRef<HTMLElement>(null);
  const service = useActiveService();
  const choices = usePreviewChoices(details?.object.serviceId ?? null);
  const actions = useObjectActions(wire);
  const nowMs = useNow(countsSeconds(details?.object) ? 1000 : 30_000);
  const isOfSecrets = query?.kind === 'secret';

  if (count + folders.size === 0) {
    return (
      <EmptyState icon="text" title={texts.none} text={isOfSecrets ? texts.noneSecret : texts.noneObject} />
    );
  }
  if (id === null) {
    return (
      <SelectionDetails selection={wire} count={count} separator={separator} kind={query?.kind ?? 'data'} />
    );
  }
  if (error) return <Failed error={error} onRetry={refresh} />;
  // Render everything at once, so that nothing moves under the pointer.
  if (details === null || choices === null) return null;

  const { object, history, failure, versions } = details;
  const isSecret = object.kind === 'secret';
  return (
    <article ref={pane} tabIndex={-1} className="details" aria-label={object.identifier}>
      {failure !== null && (
        <ObjectFailure object={object} failure={failure} onActed={() => pane.current?.focus()} />
      )}
      {!isSecret && !isLooking && (
        <Preview
          key={contentKey(object)}
          object={object}
          choices={choices}
          onDownload={() => actions.download()}
        />
      )}
      {actions.act.error !== null && (
        <p className="details__error" role="alert">
          {errorLine(actions.act.error)}
        </p>
      )}
      <DetailsName key={object.identifier} identifier={object.identifier} separator={separator} />
      {canOpen(object) && (
        <div className="details__acts">
          <OpenButton row={object} actions={actions} size="small" />
          <Button kind="line" size="small" icon="pencil" onPress={() => actions.edit(object.id)}>
            {objectTexts.act.edit}
          </Button>
        </div>
      )}
      <DetailFields
        object={object}
        nowMs={nowMs}
        onReclassify={actions.askToReclassify}
        onShowMoved={() => actions.showMoved(object)}
      />
      <Slot name="details" object={object} nowMs={nowMs} />
      <Parts object={object} />
      {(!isSecret || (versions?.length ?? 0) > 1) && versions !== undefined && (
        <Versions
          key={`versions of ${object.id}`}
          object={object}
          versions={versions}
          separator={separator}
          nowMs={nowMs}
        />
      )}
      <Note key={object.id} id={object.id} note={object.note} onSaved={refresh} />
      <section className="section" aria-label={texts.history}>
        <h3 className="section__head">{texts.history}</h3>
        <ul className="history">
          {history.map((entry, at) => (
            // Entries have no ids, and are only ever added at the start.
            <li key={history.length - at}>
              <time dateTime={formatIso(entry.atMs)}>{formatMoment(entry.atMs, nowMs)}</time>
              <span>{historyText(entry, object.kind)}</span>
            </li>
          ))}
        </ul>
      </section>
      {isSecret && <Slot name="secretDetails" object={object} nowMs={nowMs} />}
      {isSecret && <SecretFacts />}
      <ActionDialogs
        actions={actions}
        serviceId={object.serviceId}
        separator={separator}
        serviceName={service?.name ?? ''}
      />
    </article>
  );
}

/** Key of the preview: changes with the bytes, even if the object has no digest. */
function contentKey({ id, state, sha256, lengthBytes, storedAtMs }: ObjectRow): string {
  return [id, state, sha256, lengthBytes, storedAtMs].join();
}

function Parts({ object }: { object: ObjectRow }) {
  const parts = useObjectParts(object);
  return parts && <PartBar parts={parts} />;
}

function Failed({ error, onRetry }: { error: AppError; onRetry: () => void }) {
  const { title, what } = errorText(error);
  return (
    <EmptyState
      icon="fail"
      title={title}
      text={what}
      buttons={
        <Button kind="line" size="small" onPress={onRetry}>
          {commonTexts.tryAgain}
        </Button>
      }
    />
  );
}
