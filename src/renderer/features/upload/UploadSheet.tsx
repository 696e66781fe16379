import { useCallback, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import { commonTexts } from '../../i18n/common-texts.ts';
import { uploadTexts as texts } from '../../i18n/upload-texts.ts';
import type { IfExists, RequestKind } from '../../../shared/domain/profile.ts';
import type { Draft } from '../../../shared/domain/upload-draft.ts';
import { useClient } from '../../app/client.ts';
import { turnDock } from '../../app/dock.ts';
import { sayFailure } from '../../app/say-failure.ts';
import { useProfiles } from '../../app/stores.ts';
import { useAct } from '../../app/use-act.ts';
import { errorLine } from '../../i18n/error-text.ts';
import { formatSize } from '../../../shared/i18n/format.ts';
import { announce } from '../../ui/announce.tsx';
import { Button } from '../../ui/Button.tsx';
import { Segmented } from '../../ui/Choice.tsx';
import { Sheet } from '../../ui/Dialog.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { MenuButton } from '../../ui/Menu.tsx';
import { Select } from '../../ui/Select.tsx';
import { ClassificationPicker } from '../../app/classification/ClassificationPicker.tsx';
import { DialogPane } from '../../app/Pane.tsx';
import { FileTable } from './FileTable.tsx';
import type { FileRowActions } from './FileRow.tsx';
import { TemplateField } from './TemplateField.tsx';
import { closeSheet, takeDraft, takeTurn, uploadStore } from './upload-store.ts';
import { refusedText } from '../../i18n/refused-text.ts';
import { useUploadStarter } from './use-upload.ts';
import './upload-sheet.css';

const ifExistsValues = ['ask', 'skip', 'keepBoth'] as const satisfies readonly IfExists[];
const requestKinds = ['direct', 'deferred'] as const satisfies readonly RequestKind[];

/** The one sheet before an upload, where there is one to decide. */
export function UploadSheet() {
  const client = useClient();
  const { draft } = useStore(uploadStore);
  if (draft === null) return null;
  const cancel = () => {
    closeSheet();
    sayFailure(client.call('drafts.discard', { id: draft.id }));
  };
  return (
    <DialogPane onClose={cancel}>
      <OpenSheet key={draft.id} draft={draft} onCancel={cancel} />
    </DialogPane>
  );
}

function OpenSheet({ draft, onCancel }: { draft: Draft; onCancel: () => void }) {
  const client = useClient();
  const { profiles } = useProfiles();
  const profile = profiles.find(({ id }) => id === draft.profileId);
  const [ifExists, setIfExists] = useState<IfExists>(profile?.ifExists ?? 'ask');
  const [request, setRequest] = useState<RequestKind>(profile?.request ?? 'direct');
  const [classification, setClassification] = useState<string | null>(null);
  const { chooseFiles, chooseFolders } = useUploadStarter();
  const isTaking = useStore(uploadStore, (state) => state.isTaking);
  const act = useAct();
  const separator = profile?.separator ?? '/';

  const change = useCallback(
    (work: () => Promise<Draft>) => {
      // A field that goes with the sheet has nothing to change any more.
      if (uploadStore.getState().draft?.id === draft.id) sayFailure(work().then(takeDraft));
    },
    [draft.id],
  );
  const actions = useMemo<FileRowActions>(
    () => ({
      separator,
      rename: (entryId, identifier) =>
        change(() => client.call('drafts.setIdentifier', { id: draft.id, entryId, identifier })),
      remove: (entryId) =>
        change(() => client.call('drafts.removeEntries', { id: draft.id, entries: [entryId] })),
    }),
    [client, change, draft.id, separator],
  );

  const isOpen = () => uploadStore.getState().draft?.id === draft.id;
  function upload() {
    return act.run(() =>
      takeTurn(async () => {
        // It may have been cancelled before its turn came.
        if (!isOpen()) return;
        const choice = { classification, ifExists, request };
        const { count, left } = await client.call('drafts.upload', { id: draft.id, ...choice });
        if (isOpen() && left === 0) closeSheet();
        else if (!isOpen() && count > 0) announce(texts.forecast.cancelled({ count }));
        if (count > 0) turnDock(request === 'deferred' ? 'jobs' : 'transfers');
      }),
    );
  }

  const going = draft.total - draft.problems;
  const facts = { count: draft.total, size: formatSize(draft.totalBytes) };
  const requestTexts = { direct: texts.kind.directText, deferred: texts.kind.deferredText };
  const ifExistsTexts = {
    ask: texts.exists.askText,
    skip: texts.exists.skipText,
    keepBoth: texts.exists.keepBothText,
  };
  return (
    <Sheet
      isOpen
      onClose={onCancel}
      title={texts.title}
      name={texts.title}
      facts={
        draft.intoFolder === ''
          ? texts.facts(facts)
          : texts.factsInto({ ...facts, folder: draft.intoFolder + separator })
      }
      place={profile?.name}
      say={
        <Forecast
          draft={draft}
          isUploading={act.isRunning}
          error={act.error === null ? null : errorLine(act.error)}
        />
      }
      buttons={
        <>
          <Button size="large" onPress={onCancel}>
            {commonTexts.cancel}
          </Button>
          <Button
            kind="primary"
            size="large"
            isDisabled={going === 0 || draft.reading || isTaking || act.isRunning}
            onPress={() => void upload()}
          >
            {texts.start({ count: going })}
          </Button>
        </>
      }
    >
      <section className="sheet__work" inert={act.isRunning}>
        <TemplateField
          draft={draft}
          onChange={(template, resetEdited) =>
            change(() => client.call('drafts.setTemplate', { id: draft.id, template, resetEdited }))
          }
        />
        <Refused draft={draft} />
        <FileTable draft={draft} actions={actions} />
        <div className="files__add">
          <MenuButton
            label={texts.add}
            trigger={
              <Button kind="quiet" icon="plus">
                {texts.addFiles}
              </Button>
            }
            entries={[
              { id: 'files', label: texts.files, icon: 'file', onAction: chooseFiles },
              { id: 'folders', label: texts.folders, icon: 'folder', onAction: chooseFolders },
            ]}
          />
          {draft.problems > 1 && (
            <Button
              kind="link"
              onPress={() =>
                change(() => client.call('drafts.removeEntries', { id: draft.id, entries: 'problems' }))
              }
            >
              {texts.removeProblems({ count: draft.problems })}
            </Button>
          )}
        </div>
      </section>
      <aside className="sheet__choices" inert={act.isRunning}>
        <div className="field field--above">
          <h3 className="field__label">{texts.request}</h3>
          <Segmented
            label={texts.request}
            value={request}
            choices={requestKinds.map((value) => ({ value, label: texts.kind[value] }))}
            onChange={setRequest}
          />
          <p className="sheet__hint">{requestTexts[request]}</p>
        </div>
        <div>
          <Select
            label={texts.ifExists}
            value={ifExists}
            options={ifExistsValues.map((value) => ({
              value,
              label: texts.exists[value],
              text: ifExistsTexts[value],
            }))}
            onChange={setIfExists}
          />
          <p className="sheet__hint">
            {ifExists === 'ask' && request === 'deferred'
              ? texts.ifExistsDeferredAsk
              : ifExistsTexts[ifExists]}
          </p>
        </div>
        <ClassificationPicker
          profileId={draft.profileId}
          folder={draft.intoFolder}
          onChange={setClassification}
        />
      </aside>
    </Sheet>
  );
}

type ForecastProps = { draft: Draft; isUploading: boolean; error: string | null };

/** What will happen, in one line left of the buttons. */
function Forecast({ draft, isUploading, error }: ForecastProps) {
  const { isTaking } = useStore(uploadStore);
  const { forecast } = texts;
  const { handedOver: count } = draft;
  if (error !== null)
    return <span className="sheet__bad">{count === 0 ? error : forecast.failed({ error, count })}</span>;
  if (isUploading) {
    const isWaiting = draft.reading || draft.naming;
    return <>{isWaiting ? forecast.waits({ naming: namingText(draft) }) : forecast.starting({ count })}</>;
  }
  if (draft.reading || isTaking) return <>{forecast.reading({ count: draft.total })}</>;
  if (draft.naming) return <>{namingText(draft)}</>;
  if (draft.total === 0) return null;
  if (count > 0) return <>{forecast.left({ count })}</>;
  if (draft.problems === 0) return <>{draft.mayBeRefused > 0 && forecast.mayBeRefused}</>;
  if (draft.ready === 0) return <>{forecast.noneReady}</>;
  const { ready, total, readyBytes } = draft;
  return <>{forecast.someReady({ ready, total, size: formatSize(readyBytes) })}</>;
}

function namingText({ total, problems, ready }: Draft): string {
  const unnamed = total - problems - ready;
  return unnamed === 0 ? texts.forecast.naming : texts.forecast.namingLeft({ count: unnamed });
}

/** What could not be taken at all: a folder that cannot be read, something without a place on disk. */
function Refused({ draft }: { draft: Draft }) {
  const { refused } = useStore(uploadStore);
  const all = [...refused, ...draft.refused];
  const [first] = all;
  if (first === undefined) return null;
  return (
    <p className="sheet__refused">
      <Icon name="warn" />
      <span>{refusedText(first.name, all.length, first.error)}</span>
    </p>
  );
}
