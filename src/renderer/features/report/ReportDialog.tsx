import { useEffect, useEffectEvent, useState } from 'react';
import type { Output } from '../../../shared/contract.ts';
import { errorText } from '../../../shared/i18n/error-text.ts';
import { useClient } from '../../app/client.ts';
import { useCommand } from '../../app/commands.ts';
import { DialogPane } from '../../app/Pane.tsx';
import { useRemoteStore, useStores } from '../../app/stores.ts';
import { useAct } from '../../app/use-act.ts';
import { reportTexts as texts } from '../../i18n/report-texts.ts';
import { announce } from '../../ui/announce.tsx';
import { Button } from '../../ui/Button.tsx';
import { Checkbox } from '../../ui/Choice.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { focusHere } from '../../ui/focus.ts';
import './report.css';
import { commonTexts } from '../../i18n/common-texts.ts';

/** *Save a report…*, from the menu, the palette, the settings and the offer after a crash. */
export function SaveReport() {
  const [isOpen, setOpen] = useState(false);
  useCommand('report', () => setOpen(true));
  const close = () => setOpen(false);
  return <DialogPane onClose={close}>{isOpen && <ReportDialog onClose={close} />}</DialogPane>;
}

/** Shows the report, and saves it exactly as shown. */
function ReportDialog({ onClose }: { onClose: () => void }) {
  const client = useClient();
  const hasCrashed = useRemoteStore(useStores().info).value?.crash != null;
  const [withNames, setWithNames] = useState(false);
  const [report, setReport] = useState<Output<'app.report'> | null>(null);
  const act = useAct();
  const make = useEffectEvent((isCurrent: () => boolean) =>
    act.run(async () => {
      const made = await client.call('app.report', { withNames });
      if (isCurrent()) setReport(made);
    }),
  );
  useEffect(() => {
    let isCurrent = true;
    void make(() => isCurrent);
    return () => {
      isCurrent = false;
    };
  }, [withNames]);
  const save = async (id: string) => {
    let fileName: string | null = null;
    const isDone = await act.run(async () => {
      fileName = (await client.call('app.saveReport', { id }))?.fileName ?? null;
      if (fileName !== null && hasCrashed) await client.call('app.dismissCrash');
    });
    if (!isDone || fileName === null) return;
    announce(texts.saved({ fileName }));
    onClose();
  };
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={texts.title}
      size="wide"
      className="report"
      buttons={
        <>
          <Button size="large" onPress={onClose}>
            {commonTexts.cancel}
          </Button>
          <Button
            kind="primary"
            size="large"
            isDisabled={report === null || act.isRunning}
            onPress={() => report && void save(report.id)}
          >
            {commonTexts.saveAs}
          </Button>
        </>
      }
    >
      <p>{texts.lead}</p>
      {act.error !== null && <ErrorNote {...errorText(act.error)} />}
      <ReportText text={report?.text ?? texts.making} />
      <Checkbox
        isSelected={withNames}
        onChange={(isSelected) => {
          // Hide the old report: it does not match the new choice.
          setReport(null);
          setWithNames(isSelected);
        }}
      >
        {texts.withNames}
      </Checkbox>
    </Dialog>
  );
}

const region = { role: 'group', tabIndex: 0 } as const;

/** Always English, from left to right. Focusable, so that the arrow keys scroll it. */
function ReportText({ text }: { text: string }) {
  return (
    <pre className="report__text" dir="ltr" {...region} aria-label={texts.text} {...focusHere}>
      {text}
    </pre>
  );
}
