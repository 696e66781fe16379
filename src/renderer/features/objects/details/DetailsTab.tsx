import { useMemo, useRef } from 'react';
import type { ObjectRow } from '../../../../shared/contract.ts';
import { commonTexts } from '../../../i18n/common-texts.ts';
import { detailTexts as texts } from '../../../i18n/detail-texts.ts';
import { objectTexts } from '../../../i18n/object-texts.ts';
import { errorLine, errorText } from '../../../../shared/i18n/error-text.ts';
import { formatIso, formatMoment } from '../../../../shared/i18n/format.ts';
import { Button } from '../../../ui/Button.tsx';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { useActiveService } from '../../../app/stores.ts';
import { ProgramsAllowed } from './ProgramsAllowed.tsx';
import { ActionDialogs } from '../actions/ActionDialogs.tsx';
import { OpenButton } from '../actions/OpenButton.tsx';
import { useBrowser } from '../state/browser-store.ts';
import { DetailFields } from './DetailFields.tsx';
import { DetailsName } from './DetailsName.tsx';
import { historyText } from '../versions/history-text.ts';
import { ReplacedVersions } from '../versions/ReplacedVersions.tsx';
import { Note } from './Note.tsx';
import { ObjectFailure } from './ObjectFailure.tsx';
import { PartBar } from './PartBar.tsx';
import { Preview } from '../preview/Preview.tsx';
import { canOpen, countsSeconds } from '../state/row-state.ts';
import { SecretFacts } from './SecretFacts.tsx';
import { TeamFields } from './TeamFields.tsx';
import { SelectionDetails } from './SelectionDetails.tsx';
import { countSelected, onlyId, toWire } from '../state/selection.ts';
import { useNow } from '../../../app/use-now.ts';
import { Versions } from '../versions/Versions.tsx';
import { useObjectActions } from '../actions/use-object-actions.ts';
import { useObjectParts } from './use-object-parts.ts';
import { useObjectDetails } from './use-object-details.ts';
import { usePreviewChoices } from '../preview/use-preview-choices.ts';
import './details.css';

/** Details of the selected object, or a summary of several. */
export function DetailsTab({ separator }: { separator: string }) {
  const selection = useBrowser((state) => state.selection);
  const query = useBrowser((state) => state.query);
  const total = useBrowser((state) => state.total);
  const isLooking = useBrowser((state) => state.isLooking);
  const count = countSelected(selection, total);
  const id = onlyId(selection);
  const wire = useMemo(
    () => (query && count > 0 ? toWire(selection, query) : null),
    [selection, query, count],
  );
  const { details, error, refresh } = useObjectDetails(id);
  const pane = useRef<HTMLElement>(null);
  const service = useActiveService();
  const choices = usePreviewChoices(details?.object.serviceId ?? null);
  const actions = useObjectActions(wire);
  const nowMs = useNow(countsSeconds(details?.object) ? 1000 : 30_000);
  const isOfSecrets = query?.kind === 'secret';

  if (count === 0) {
    return (
      <EmptyState icon="text" title={texts.none} text={isOfSecrets ? texts.noneSecret : texts.noneObject} />
    );
  }
  if (id === null) return <SelectionDetails selection={wire} count={count} kind={query?.kind ?? 'data'} />;
  if (error) {
    const { title, what } = errorText(error);
    return (
      <EmptyState
        icon="fail"
        title={title}
        text={what}
        buttons={
          <Button kind="line" size="small" onPress={refresh}>
            {commonTexts.tryAgain}
          </Button>
        }
      />
    );
  }
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
      <TeamFields object={object} nowMs={nowMs} onCheck={actions.check} />
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
      {!isSecret && <ReplacedVersions objectId={object.id} nowMs={nowMs} />}
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
      {isSecret && <ProgramsAllowed object={object} nowMs={nowMs} />}
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
