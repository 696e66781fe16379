import { useCallback, useMemo, useRef, useState } from 'react';
import { useStore } from 'zustand';
import {
  identifierTemplateDefault,
  type IfExists,
  type RequestKind,
} from '../../../shared/domain/service.ts';
import { usesHash } from '../../../shared/domain/template.ts';
import type { PlanChoices, UploadPlan } from '../../../shared/domain/upload-plan.ts';
import { formatSize } from '../../../shared/i18n/format.ts';
import {
  ClassificationPicker,
  type ClassificationPickerHandle,
} from '../../app/classification/ClassificationPicker.tsx';
import { useClient } from '../../app/client.ts';
import { useDiscardQuestion } from '../../app/DiscardQuestion.tsx';
import { turnDock } from '../../app/dock.ts';
import { useFirstUpload } from '../../app/first-upload.ts';
import { sayFailure } from '../../app/say-failure.ts';
import { Slot } from '../../app/slots.tsx';
import { useServices, useSettings } from '../../app/stores.ts';
import { useAct } from '../../app/use-act.ts';
import { commonTexts } from '../../i18n/common-texts.ts';
import { errorLine } from '../../../shared/i18n/error-text.ts';
import { uploadTexts as texts } from '../../i18n/upload-texts.ts';
import { announce } from '../../ui/announce.tsx';
import { AnswerButton } from '../../ui/AnswerButton.tsx';
import { Button } from '../../ui/Button.tsx';
import { Sheet } from '../../ui/Dialog.tsx';
import type { FileRowActions } from './FileRow.tsx';
import { FileTable, uploadKeys, useFirstFocus } from './FileTable.tsx';
import { Forecast } from './Forecast.tsx';
import { IntoField } from './IntoField.tsx';
import { Refused } from './Refused.tsx';
import { SheetFoot } from './SheetFoot.tsx';
import { SheetOptions } from './SheetOptions.tsx';
import { TemplateField } from './TemplateField.tsx';
import { useDoneKey } from '../../app/use-done-key.ts';
import { useReclassifyQuestion } from './use-reclassify-question.tsx';
import { closeSheet, takePlan, takeTurn, uploadStore } from './upload-store.ts';
import './upload-sheet.css';
import { ServicePlace } from '../../app/ServicePlace.tsx';

/** Maximum number of uploaded objects that the list selects. */
const selectedMax = 50;

export function OpenSheet({ plan, onCancel }: { plan: UploadPlan; onCancel: () => void }) {
  const client = useClient();
  const { services } = useServices();
  const service = services.find(({ id }) => id === plan.serviceId);
  const { uploadIfExists, uploadRequest } = useSettings();
  const [ifExists, setIfExists] = useState<IfExists>(plan.choices.ifExists ?? uploadIfExists);
  const [request, setRequest] = useState<RequestKind>(plan.choices.request ?? uploadRequest);
  /** undefined: the default is not known yet. */
  const [classification, setClassification] = useState(plan.choices.classification);
  const [isClassChosen, setClassChosen] = useState(plan.choices.classification !== undefined);
  const picker = useRef<ClassificationPickerHandle>(null);
  const [isTemplateBad, setTemplateBad] = useState(false);
  const plainTemplate = usePlainTemplate(plan);
  const isTaking = useStore(uploadStore, (state) => state.isTaking);
  const handedOver = useStore(uploadStore, (state) => state.handedOver);
  const act = useAct();
  const separator = service?.separator ?? '/';

  const change = useCallback(
    (work: () => Promise<UploadPlan>) => {
      // Ignore fields that commit while the sheet closes.
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
  const moveAll = (folder: string) =>
    change(() => client.call('uploadPlans.setFolder', { id: plan.id, folder }));
  const nameAll = (template: string, resetEdited: boolean) =>
    change(() => client.call('uploadPlans.setTemplate', { id: plan.id, template, resetEdited }));
  const discard = useDiscardQuestion(texts.discardTitle, plan.edited, onCancel);

  const choose = useCallback(
    (choices: PlanChoices) => {
      if (choices.request !== undefined) setRequest(choices.request);
      if (choices.ifExists !== undefined) setIfExists(choices.ifExists);
      if (choices.classification !== undefined) setClassChosen(true);
      change(() => client.call('uploadPlans.choose', { id: plan.id, choices }));
    },
    [client, change, plan.id],
  );
  const chooseClass = useCallback(
    (value: string | null, by: 'default' | 'person') => {
      setClassification(value);
      if (by === 'person') choose({ classification: value });
    },
    [choose],
  );

  const isOpen = () => uploadStore.getState().plan?.id === plan.id;
  const reclassify = useReclassifyQuestion(() => void upload(true));
  const replaces = ifExists === 'replace' || ifExists === 'newVersion';
  function upload(isAgreed = false) {
    if (picker.current?.finish() === false) return undefined;
    return act.run(() =>
      takeTurn(async () => {
        // The sheet may have been cancelled while this waited.
        if (!isOpen()) return;
        if (isClassChosen && replaces && !isAgreed) {
          const to = classification ?? null;
          const { changes } = await client.call('uploadPlans.reclassified', {
            id: plan.id,
            classification: to,
            ifExists,
          });
          if (changes.length > 0) return reclassify.ask(changes, to);
        }
        const choice = {
          classification: classification ?? null,
          classificationChosen: isClassChosen,
          ifExists,
          request,
        };
        // Read before the call, whose rows are listed before it is answered.
        const isFirst = useFirstUpload.getState().isListEmpty;
        const identifiers = await client
          .call('uploadPlans.page', { id: plan.id, offset: 0, limit: selectedMax })
          .then(
            ({ entries }) => entries.map(({ identifier }) => identifier),
            () => [],
          );
        const { count, left } = await client.call('uploadPlans.upload', { id: plan.id, ...choice });
        if (isOpen() && left === 0) closeSheet();
        else if (!isOpen() && count > 0) announce(texts.forecast.cancelled({ count }));
        if (count === 0) return;
        if (isFirst && count === 1 && request === 'direct') useFirstUpload.setState({ isAwaited: true });
        else {
          useFirstUpload.setState({ uploaded: { serviceId: plan.serviceId, identifiers } });
          turnDock(request === 'deferred' ? 'jobs' : 'transfers');
        }
      }),
    );
  }

  const going = plan.total - plan.problems;
  const mayUpload = going > 0 && !plan.reading && !isTaking && !act.isRunning && !isTemplateBad;
  const uploadButton = useRef<HTMLButtonElement>(null);
  const onRows = useFirstFocus({ upload: uploadButton, picker, plan, classification, mayUpload });
  useDoneKey(() => {
    const isAnswerable = uploadButton.current?.getAttribute('aria-disabled') !== 'true';
    if (mayUpload && isAnswerable) void upload();
  }, uploadButton);
  return (
    <Sheet
      isOpen
      onClose={discard.close}
      title={texts.title}
      name={texts.title}
      facts={texts.facts({ count: plan.total, size: formatSize(plan.totalBytes) })}
      place={<ServicePlace name={service?.name} />}
      say={
        <Forecast
          plan={plan}
          isUploading={act.isRunning}
          isTemplateBad={isTemplateBad}
          onStop={() => nameAll(plainTemplate, false)}
          error={act.error === null ? null : errorLine(act.error)}
        />
      }
      buttons={
        <>
          <Button size="large" onPress={onCancel}>
            {commonTexts.cancel}
          </Button>
          <AnswerButton
            ref={uploadButton}
            question={handedOver === 0 ? null : `${plan.id} ${String(handedOver)}`}
            kind="primary"
            size="large"
            isDisabled={!mayUpload && !act.isRunning}
            isPending={act.isRunning}
            keys={uploadKeys}
            onPress={() => void upload()}
          >
            {texts.start({ count: going })}
          </AnswerButton>
        </>
      }
    >
      <section className="sheet__work" inert={act.isRunning}>
        <div className="sheet__where">
          <IntoField plan={plan} separator={separator} onChange={moveAll} />
          <ClassificationPicker
            ref={picker}
            serviceId={plan.serviceId}
            folder={plan.intoFolder}
            {...('classification' in plan.choices ? { start: plan.choices.classification } : {})}
            onChange={chooseClass}
          />
          {replaces && <p className="sheet__hint">{isClassChosen ? texts.classForAll : texts.classKept}</p>}
          <Slot name="uploadHint" serviceId={plan.serviceId} />
        </div>
        <Refused plan={plan} />
        <FileTable plan={plan} actions={actions} onRows={onRows} />
        <SheetFoot
          plan={plan}
          onNumber={() => {
            uploadButton.current?.focus();
            change(() => client.call('uploadPlans.numberDuplicates', { id: plan.id }));
          }}
          onRemoveProblems={() => {
            uploadButton.current?.focus();
            change(() => client.call('uploadPlans.removeEntries', { id: plan.id, entries: 'problems' }));
          }}
        />
      </section>
      <div className="sheet__set" inert={act.isRunning}>
        <SheetOptions
          plan={plan}
          request={request}
          ifExists={ifExists}
          onChoose={choose}
          onFold={() => setTemplateBad(false)}
          template={
            <TemplateField
              plan={plan}
              separator={separator}
              start={service?.identifierTemplate ?? plan.template}
              onChange={nameAll}
              onProblem={setTemplateBad}
            />
          }
        />
      </div>
      {discard.question}
      {reclassify.question}
    </Sheet>
  );
}

/** The last template that did not require reading files. */
function usePlainTemplate({ template }: UploadPlan): string {
  const [plain, setPlain] = useState(usesHash(template) ? identifierTemplateDefault : template);
  if (!usesHash(template) && plain !== template) setPlain(template);
  return plain;
}
