import { formatMoment } from '../../../shared/i18n/format.ts';
import { useClient } from '../../app/client.ts';
import { runCommand, useCommand } from '../../app/commands.ts';
import { sayFailure } from '../../app/say-failure.ts';
import { useNow } from '../../app/use-now.ts';
import { useRemoteStore, useStores } from '../../app/stores.ts';
import { reportTexts } from './report-texts.ts';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icon.tsx';
import './report.css';
import { useEffect, useEffectEvent, useState } from 'react';
import type { Output } from '../../../shared/contract.ts';
import { errorText } from '../../../shared/i18n/error-text.ts';
import { DialogPane } from '../../app/Pane.tsx';
import { useAct } from '../../app/use-act.ts';
import { announce } from '../../ui/announce.tsx';
import { Checkbox } from '../../ui/Choice.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { focusHere } from '../../ui/focus.ts';
import { commonTexts } from '../../i18n/common-texts.ts';
import type { WindowFeature } from '../../app/slots.tsx';
import { paletteCommand } from '../../app/palette-entry.ts';
import { paletteTexts } from '../../i18n/keyboard-texts.ts';

/** The report for support, and the offer of one after a crash. */
export const report: WindowFeature = {
  slots: { banner: CrashBanner, appDialogs: SaveReport },
  facts: {
    palette: () => ({
      help: [paletteCommand('report', reportTexts.save, 'text', paletteTexts.words.report)],
    }),
    aboutLink: () => ({ label: reportTexts.save, run: () => void runCommand('report') }),
  },
};

const crashTexts = reportTexts.crash;

/** Offers a report after a crash, until one is saved or the person dismisses it. */
export function CrashBanner() {
  const client = useClient();
  const crash = useRemoteStore(useStores().info).value?.crash ?? null;
  const now = useNow(crash === null ? null : 60_000);
  if (crash === null) return null;
  return (
    <section className="banner banner--crash" aria-label={crashTexts[crash.what]}>
      <Icon name="warn" />
      <div className="banner__text">
        <p className="banner__title">{crashTexts[crash.what]}</p>
        <p className="banner__sub figures">{crashTexts.text({ when: formatMoment(crash.atMs, now) })}</p>
      </div>
      <Button onPress={() => sayFailure(client.call('app.dismissCrash'))}>{commonTexts.dismiss}</Button>
      <Button kind="line" onPress={() => void runCommand('report')}>
        {crashTexts.show}
      </Button>
    </section>
  );
}

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
    announce(reportTexts.saved({ fileName }));
    onClose();
  };
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={reportTexts.title}
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
            isDisabled={report === null}
            isPending={act.isRunning}
            onPress={() => report && void save(report.id)}
          >
            {commonTexts.saveAs}
          </Button>
        </>
      }
    >
      <p>{reportTexts.lead}</p>
      {act.error !== null && <ErrorNote {...errorText(act.error)} />}
      <ReportText text={report?.text ?? reportTexts.making} />
      <Checkbox
        isSelected={withNames}
        onChange={(isSelected) => {
          // Hide the old report: it does not match the new choice.
          setReport(null);
          setWithNames(isSelected);
        }}
      >
        {reportTexts.withNames}
      </Checkbox>
    </Dialog>
  );
}

const region = { role: 'group', tabIndex: 0 } as const;

/** Always English, from left to right. Focusable, so that the arrow keys scroll it. */
function ReportText({ text }: { text: string }) {
  return (
    <pre className="report__text" dir="ltr" {...region} aria-label={reportTexts.text} {...focusHere}>
      {text}
    </pre>
  );
}
