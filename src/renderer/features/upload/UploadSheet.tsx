import { commonTexts } from '../../i18n/common-texts.ts';
import { uploadTexts as texts } from '../../i18n/upload-texts.ts';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useStore } from 'zustand';
import {
  identifierTemplateDefault,
  type IfExists,
  type RequestKind,
} from '../../../shared/domain/profile.ts';
import { usesHash } from '../../../shared/domain/template.ts';
import type { PlanChoices, UploadPlan } from '../../../shared/domain/upload-plan.ts';
import { useClient, type Client } from '../../app/client.ts';
import { useDiscardQuestion } from '../../app/DiscardQuestion.tsx';
import { turnDock } from '../../app/dock.ts';
import { sayFailure } from '../../app/say-failure.ts';
import { useActiveProfile, useProfiles } from '../../app/stores.ts';
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
import {
  ClassificationPicker,
  type ClassificationPickerHandle,
} from '../../app/classification/ClassificationPicker.tsx';
import { DialogPane } from '../../app/Pane.tsx';
import { FileTable } from './FileTable.tsx';
import type { FileRowActions } from './FileRow.tsx';
import { TemplateField } from './TemplateField.tsx';
import { closeSheet, openSheet, takePlan, takeTurn, uploadStore } from './upload-store.ts';
import { refusedText } from '../../i18n/refused-text.ts';
import { useFirstFocus, useUploadKey } from './sheet-keys.ts';
import { useUploadStarter } from './use-upload.ts';
import './upload-sheet.css';

const ifExistsValues = ['ask', 'skip', 'keepBoth'] as const satisfies readonly IfExists[];
const requestKinds = ['direct', 'deferred'] as const satisfies readonly RequestKind[];

/** The one sheet before an upload, where there is one to decide. */
export function UploadSheet() {
  const client = useClient();
  const { plan } = useStore(uploadStore);
  const profileId = useActiveProfile()?.id ?? null;
  useEffect(() => {
    if (profileId !== null) sayFailure(takeTurn(() => takeUp(client, profileId)));
  }, [client, profileId]);
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

/** The sheet of the page before this one, or of the Coffer before this one. What is dropped meanwhile joins it. */
async function takeUp(client: Client, profileId: string): Promise<void> {
  if (uploadStore.getState().plan !== null) return;
  const current = await client.call('uploadPlans.current', { profileId });
  if (current !== null && uploadStore.getState().plan === null) openSheet(current);
}

function OpenSheet({ plan, onCancel }: { plan: UploadPlan; onCancel: () => void }) {
  const client = useClient();
  const { profiles } = useProfiles();
  const profile = profiles.find(({ id }) => id === plan.profileId);
  const [ifExists, setIfExists] = useState<IfExists>(plan.choices.ifExists ?? profile?.ifExists ?? 'ask');
  const [request, setRequest] = useState<RequestKind>(plan.choices.request ?? profile?.request ?? 'direct');
  const [classification, setClassification] = useState<string | null>(plan.choices.classification ?? null);
  const picker = useRef<ClassificationPickerHandle>(null);
  const { chooseFiles, chooseFolders } = useUploadStarter();
  /** The last one that needs no file to be read. */
  const [plainTemplate, setPlainTemplate] = useState(
    usesHash(plan.template) ? identifierTemplateDefault : plan.template,
  );
  const isPlain = !usesHash(plan.template);
  if (isPlain && plainTemplate !== plan.template) setPlainTemplate(plan.template);
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

  const remember = (choices: PlanChoices) =>
    change(() => client.call('uploadPlans.choose', { id: plan.id, choices }));
  const discard = useDiscardQuestion(texts.discardTitle, plan.edited, onCancel);

  const isOpen = () => uploadStore.getState().plan?.id === plan.id;
  function upload() {
    if (picker.current?.settle() === false) return undefined;
    return act.run(() =>
      takeTurn(async () => {
        // It may have been cancelled before its turn came.
        if (!isOpen()) return;
        const choice = { classification, ifExists, request };
        const { count, left } = await client.call('uploadPlans.upload', { id: plan.id, ...choice });
        if (isOpen() && left === 0) closeSheet();
        else if (!isOpen() && count > 0) announce(texts.forecast.cancelled({ count }));
        if (count > 0) turnDock(request === 'deferred' ? 'jobs' : 'transfers');
      }),
    );
  }

  const going = plan.total - plan.problems;
  const mayUpload = going > 0 && !plan.reading && !isTaking && !act.isRunning;
  const uploadButton = useRef<HTMLButtonElement>(null);
  const onRows = useFirstFocus(uploadButton, plan, mayUpload);
  useUploadKey(() => {
    if (!mayUpload) return;
    // What is being typed counts, as it does when the field is left.
    uploadButton.current?.focus();
    void upload();
  });
  const facts = { count: plan.total, size: formatSize(plan.totalBytes) };
  const requestTexts = { direct: texts.kind.directText, deferred: texts.kind.deferredText };
  const ifExistsTexts = {
    ask: texts.exists.askText,
    skip: texts.exists.skipText,
    keepBoth: texts.exists.keepBothText,
  };
  return (
    <Sheet
      isOpen
      onClose={discard.close}
      title={texts.title}
      name={texts.title}
      facts={
        plan.intoFolder === ''
          ? texts.facts(facts)
          : texts.factsInto({ ...facts, folder: plan.intoFolder + separator })
      }
      place={profile?.name}
      say={
        <Forecast
          plan={plan}
          isUploading={act.isRunning}
          onStop={() =>
            change(() =>
              client.call('uploadPlans.setTemplate', {
                id: plan.id,
                template: plainTemplate,
                resetEdited: false,
              }),
            )
          }
          error={act.error === null ? null : errorLine(act.error)}
        />
      }
      buttons={
        <>
          <Button size="large" onPress={onCancel}>
            {commonTexts.cancel}
          </Button>
          <Button
            ref={uploadButton}
            kind="primary"
            size="large"
            isDisabled={!mayUpload}
            onPress={() => void upload()}
          >
            {texts.start({ count: going })}
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
        <FileTable plan={plan} actions={actions} onRows={onRows} />
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
          <span className="files__gap" />
          {plan.duplicates > 0 && (
            <Button
              kind="link"
              onPress={() => change(() => client.call('uploadPlans.numberDuplicates', { id: plan.id }))}
            >
              {texts.numberDuplicates({ count: plan.duplicates })}
            </Button>
          )}
          {plan.problems > 1 && (
            <Button
              kind="link"
              onPress={() =>
                change(() => client.call('uploadPlans.removeEntries', { id: plan.id, entries: 'problems' }))
              }
            >
              {texts.removeProblems({ count: plan.problems })}
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
            onChange={(value) => {
              setRequest(value);
              remember({ request: value });
            }}
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
            onChange={(value) => {
              setIfExists(value);
              remember({ ifExists: value });
            }}
          />
          <p className="sheet__hint">
            {ifExists === 'ask' && request === 'deferred'
              ? texts.ifExistsDeferredAsk
              : ifExistsTexts[ifExists]}
          </p>
        </div>
        <ClassificationPicker
          ref={picker}
          profileId={plan.profileId}
          folder={plan.intoFolder}
          {...('classification' in plan.choices ? { start: plan.choices.classification } : {})}
          onChange={(value, by) => {
            setClassification(value);
            if (by === 'person') remember({ classification: value });
          }}
        />
      </aside>
      {discard.question}
    </Sheet>
  );
}

type ForecastProps = {
  plan: UploadPlan;
  isUploading: boolean;
  error: string | null;
  /** Names files without reading them. */
  onStop: () => void;
};

/** What will happen, in one line left of the buttons. */
function Forecast({ plan, isUploading, error, onStop }: ForecastProps) {
  const { isTaking } = useStore(uploadStore);
  const { forecast } = texts;
  const { handedOver: count } = plan;
  if (error !== null)
    return <span className="sheet__bad">{count === 0 ? error : forecast.failed({ error, count })}</span>;
  if (isUploading) {
    const isWaiting = plan.reading || plan.naming;
    return <>{isWaiting ? forecast.waits({ naming: namingText(plan) }) : forecast.starting({ count })}</>;
  }
  const isNaming = plan.naming && usesHash(plan.template) && !isTaking;
  if ((plan.reading || isTaking) && !isNaming) return <>{forecast.reading({ count: plan.total })}</>;
  if (plan.naming) {
    return (
      <>
        {namingText(plan)}
        {usesHash(plan.template) && (
          <Button kind="link" onPress={onStop}>
            {forecast.stop}
          </Button>
        )}
      </>
    );
  }
  if (plan.total === 0) return null;
  if (count > 0) return <>{forecast.left({ count })}</>;
  if (plan.problems === 0) return <>{plan.mayBeRefused > 0 && forecast.mayBeRefused}</>;
  if (plan.ready === 0) return <>{forecast.noneReady}</>;
  const { ready, total, readyBytes } = plan;
  return <>{forecast.someReady({ ready, total, size: formatSize(readyBytes) })}</>;
}

function namingText({ total, problems, ready }: UploadPlan): string {
  const unnamed = total - problems - ready;
  return unnamed === 0 ? texts.forecast.naming : texts.forecast.namingLeft({ count: unnamed });
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
