import { useCallback, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import type { IfExists, RequestKind } from '../../../shared/domain/profile.ts';
import type { Draft } from '../../../shared/domain/upload-draft.ts';
import { useClient } from '../../app/client.ts';
import { turnDock } from '../../app/dock.ts';
import { sayFailure } from '../../app/say-failure.ts';
import { useProfiles } from '../../app/stores.ts';
import { useAct } from '../../app/use-act.ts';
import { errorLine } from '../../i18n/error-text.ts';
import { formatCount, formatCounted, formatSize } from '../../i18n/format.ts';
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

const ifExistsOptions: { value: IfExists; label: string; text: string }[] = [
  { value: 'ask', label: 'Ask', text: 'Compare, then you decide' },
  { value: 'skip', label: 'Skip', text: 'The stored object stays, yours is not sent' },
  { value: 'keepBoth', label: 'Keep both', text: 'Yours gets a number behind its name' },
];

const requestChoices: { value: RequestKind; label: string; text: string }[] = [
  {
    value: 'direct',
    label: 'Direct',
    text: 'Each object is stored and its length verified before it counts as done.',
  },
  {
    value: 'deferred',
    label: 'Deferred',
    text: 'The service takes them and works in its own time. Coffer follows each in Jobs and verifies it at the end.',
  },
];

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
        else if (!isOpen() && count > 0) announce(`Cancelled, but ${onTheirWay(count)}.`);
        if (count > 0) turnDock(request === 'deferred' ? 'jobs' : 'transfers');
      }),
    );
  }

  const going = draft.total - draft.problems;
  const into = draft.intoFolder === '' ? '' : `, into ${draft.intoFolder}${separator}`;
  return (
    <Sheet
      isOpen
      onClose={onCancel}
      title="Upload"
      name="Upload"
      facts={`${formatCounted(draft.total, 'file', 'files')}, ${formatSize(draft.totalBytes)}${into}`}
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
            Cancel
          </Button>
          <Button
            kind="primary"
            size="large"
            isDisabled={going === 0 || draft.reading || isTaking || act.isRunning}
            onPress={() => void upload()}
          >
            Upload {formatCounted(going, 'object', 'objects')}
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
            label="Add"
            trigger={
              <Button kind="quiet" icon="plus">
                Add files…
              </Button>
            }
            entries={[
              { id: 'files', label: 'Files…', icon: 'file', onAction: chooseFiles },
              { id: 'folders', label: 'Folders…', icon: 'folder', onAction: chooseFolders },
            ]}
          />
          {draft.problems > 1 && (
            <Button
              kind="link"
              onPress={() =>
                change(() => client.call('drafts.removeEntries', { id: draft.id, entries: 'problems' }))
              }
            >
              Remove all {formatCount(draft.problems)} with a problem
            </Button>
          )}
        </div>
      </section>
      <aside className="sheet__choices" inert={act.isRunning}>
        <div className="field field--above">
          <h3 className="field__label">Request</h3>
          <Segmented label="Request" value={request} choices={requestChoices} onChange={setRequest} />
          <p className="sheet__hint">{requestChoices.find(({ value }) => value === request)?.text}</p>
        </div>
        <div>
          <Select label="If it exists" value={ifExists} options={ifExistsOptions} onChange={setIfExists} />
          <p className="sheet__hint">
            {ifExists === 'ask' && request === 'deferred'
              ? 'It stops and says so in Jobs, nothing is replaced'
              : ifExistsOptions.find(({ value }) => value === ifExists)?.text}
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
  const { handedOver } = draft;
  if (error !== null) {
    const rest = handedOver === 0 ? '' : ` ${onTheirWay(handedOver)}; the rest is still here.`;
    return <span className="sheet__bad">{error + rest}</span>;
  }
  if (isUploading) {
    const isWaiting = draft.reading || draft.naming;
    return <>{isWaiting ? `Waits. ${namingText(draft)}` : `Starting, ${onTheirWay(handedOver)}…`}</>;
  }
  if (draft.reading || isTaking)
    return <>Reading folders, {formatCounted(draft.total, 'file', 'files')} so far…</>;
  if (draft.naming) return <>{namingText(draft)}</>;
  if (draft.total === 0) return null;
  if (handedOver > 0) return <>{onTheirWay(handedOver)}. What is left has a problem.</>;
  if (draft.problems === 0)
    return <>{draft.mayBeRefused > 0 && 'The service may refuse what is close to the limit.'}</>;
  if (draft.ready === 0) return <>None of these files can go as they are.</>;
  return (
    <>
      {formatCount(draft.ready)} of {formatCounted(draft.total, 'file', 'files')}{' '}
      {draft.ready === 1 ? 'is' : 'are'} ready, {formatSize(draft.readyBytes)}. Files with problems stay out.
    </>
  );
}

function namingText({ total, problems, ready }: Draft): string {
  const unnamed = total - problems - ready;
  return unnamed === 0
    ? 'Files are being named…'
    : `Files are read for their names, ${formatCount(unnamed)} to go…`;
}

function onTheirWay(count: number): string {
  return `${formatCounted(count, 'object', 'objects')} ${count === 1 ? 'is on its' : 'are on their'} way`;
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
