import { useCallback, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import type { IfExists, RequestKind } from '../../../shared/domain/profile.ts';
import type { UploadPlan } from '../../../shared/domain/upload-plan.ts';
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
import { closeSheet, takePlan, takeTurn, uploadStore } from './upload-store.ts';
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
  const { plan } = useStore(uploadStore);
  if (plan === null) return null;
  const cancel = () => {
    closeSheet();
    sayFailure(client.call('uploadPlans.discard', { id: plan.id }));
  };
  return (
    <DialogPane onClose={cancel}>
      <OpenSheet key={plan.id} plan={plan} onCancel={cancel} />
    </DialogPane>
  );
}

function OpenSheet({ plan, onCancel }: { plan: UploadPlan; onCancel: () => void }) {
  const client = useClient();
  const { profiles } = useProfiles();
  const profile = profiles.find(({ id }) => id === plan.profileId);
  const [ifExists, setIfExists] = useState<IfExists>(profile?.ifExists ?? 'ask');
  const [request, setRequest] = useState<RequestKind>(profile?.request ?? 'direct');
  const [classification, setClassification] = useState<string | null>(null);
  const { chooseFiles, chooseFolders } = useUploadStarter();
  const isTaking = useStore(uploadStore, (state) => state.isTaking);
  const act = useAct();
  const separator = profile?.separator ?? '/';

  const change = useCallback(
    (work: () => Promise<UploadPlan>) => {
      // A field that goes with the sheet has nothing to change any more.
      if (uploadStore.getState().plan?.id === plan.id) sayFailure(work().then(takePlan));
    },
    [plan.id],
  );
  const actions = useMemo<FileRowActions>(
    () => ({
      separator,
      rename: (entryId, identifier) =>
        change(() => client.call('uploadPlans.setIdentifier', { id: plan.id, entryId, identifier })),
      remove: (entryId) =>
        change(() => client.call('uploadPlans.removeEntries', { id: plan.id, entries: [entryId] })),
    }),
    [client, change, plan.id, separator],
  );

  const isOpen = () => uploadStore.getState().plan?.id === plan.id;
  function upload() {
    return act.run(() =>
      takeTurn(async () => {
        // It may have been cancelled before its turn came.
        if (!isOpen()) return;
        const choice = { classification, ifExists, request };
        const { count, left } = await client.call('uploadPlans.upload', { id: plan.id, ...choice });
        if (isOpen() && left === 0) closeSheet();
        else if (!isOpen() && count > 0) announce(`Cancelled, but ${onTheirWay(count)}.`);
        if (count > 0) turnDock(request === 'deferred' ? 'jobs' : 'transfers');
      }),
    );
  }

  const going = plan.total - plan.problems;
  const into = plan.intoFolder === '' ? '' : `, into ${plan.intoFolder}${separator}`;
  return (
    <Sheet
      isOpen
      onClose={onCancel}
      title="Upload"
      name="Upload"
      facts={`${formatCounted(plan.total, 'file', 'files')}, ${formatSize(plan.totalBytes)}${into}`}
      place={profile?.name}
      say={
        <Forecast
          plan={plan}
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
            isDisabled={going === 0 || plan.reading || isTaking || act.isRunning}
            onPress={() => void upload()}
          >
            Upload {formatCounted(going, 'object', 'objects')}
          </Button>
        </>
      }
    >
      <section className="sheet__work" inert={act.isRunning}>
        <TemplateField
          plan={plan}
          onChange={(template, resetEdited) =>
            change(() => client.call('uploadPlans.setTemplate', { id: plan.id, template, resetEdited }))
          }
        />
        <Refused plan={plan} />
        <FileTable plan={plan} actions={actions} />
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
          {plan.problems > 1 && (
            <Button
              kind="link"
              onPress={() =>
                change(() => client.call('uploadPlans.removeEntries', { id: plan.id, entries: 'problems' }))
              }
            >
              Remove all {formatCount(plan.problems)} with a problem
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
          profileId={plan.profileId}
          folder={plan.intoFolder}
          onChange={setClassification}
        />
      </aside>
    </Sheet>
  );
}

type ForecastProps = { plan: UploadPlan; isUploading: boolean; error: string | null };

/** What will happen, in one line left of the buttons. */
function Forecast({ plan, isUploading, error }: ForecastProps) {
  const { isTaking } = useStore(uploadStore);
  const { handedOver } = plan;
  if (error !== null) {
    const rest = handedOver === 0 ? '' : ` ${onTheirWay(handedOver)}; the rest is still here.`;
    return <span className="sheet__bad">{error + rest}</span>;
  }
  if (isUploading) {
    const isWaiting = plan.reading || plan.naming;
    return <>{isWaiting ? `Waits. ${namingText(plan)}` : `Starting, ${onTheirWay(handedOver)}…`}</>;
  }
  if (plan.reading || isTaking)
    return <>Reading folders, {formatCounted(plan.total, 'file', 'files')} so far…</>;
  if (plan.naming) return <>{namingText(plan)}</>;
  if (plan.total === 0) return null;
  if (handedOver > 0) return <>{onTheirWay(handedOver)}. What is left has a problem.</>;
  if (plan.problems === 0)
    return <>{plan.mayBeRefused > 0 && 'The service may refuse what is close to the limit.'}</>;
  if (plan.ready === 0) return <>None of these files can go as they are.</>;
  return (
    <>
      {formatCount(plan.ready)} of {formatCounted(plan.total, 'file', 'files')}{' '}
      {plan.ready === 1 ? 'is' : 'are'} ready, {formatSize(plan.readyBytes)}. Files with problems stay out.
    </>
  );
}

function namingText({ total, problems, ready }: UploadPlan): string {
  const unnamed = total - problems - ready;
  return unnamed === 0
    ? 'Files are being named…'
    : `Files are read for their names, ${formatCount(unnamed)} to go…`;
}

function onTheirWay(count: number): string {
  return `${formatCounted(count, 'object', 'objects')} ${count === 1 ? 'is on its' : 'are on their'} way`;
}

/** What could not be taken at all: a folder that cannot be read, something without a place on disk. */
function Refused({ plan }: { plan: UploadPlan }) {
  const { refused } = useStore(uploadStore);
  const all = [...refused, ...plan.refused];
  const [first] = all;
  if (first === undefined) return null;
  return (
    <p className="sheet__refused">
      <Icon name="warn" />
      <span>{refusedText(first.name, all.length, first.error)}</span>
    </p>
  );
}
