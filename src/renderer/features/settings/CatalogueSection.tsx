import { useEffect, useState } from 'react';
import type { EventPayload, ImportReport } from '../../../shared/contract.ts';
import { formatPercent } from '../../../shared/i18n/format.ts';
import { useClient } from '../../app/client.ts';
import { runCommand } from '../../app/commands.ts';
import { useActiveService } from '../../app/stores.ts';
import { sayFailure } from '../../app/say-failure.ts';
import { useAct } from '../../app/use-act.ts';
import { commonTexts } from '../../i18n/common-texts.ts';
import { errorText } from '../../../shared/i18n/error-text.ts';
import { importFacts, importProblemText, settingsTexts as texts } from '../../i18n/settings-texts.ts';
import { announce } from '../../ui/announce.tsx';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { Section } from './Section.tsx';

/** The active service's list of objects: export, import, and known identifiers. */
export function CatalogueSection({ search }: { search: string }) {
  const client = useClient();
  const service = useActiveService();
  const running = useImportProgress(service?.id ?? null);
  const [report, setReport] = useState<ImportReport | null>(null);
  const [said, setSaid] = useState('');
  const act = useAct();
  if (service === null) return null;
  const serviceId = service.id;

  const exportAs = (format: 'jsonl' | 'csv') =>
    void act.run(async () => {
      const written = await client.call('objects.export', { serviceId, format });
      if (written === null) return;
      const words = texts.exported({ count: written.count, fileName: written.fileName });
      setSaid(words);
      announce(words, 'polite', { isOnScreen: true });
    });
  const importList = () =>
    void act.run(async () => setReport(await client.call('objects.import', { serviceId })));

  return (
    <>
      <Section
        title={texts.catalogue}
        search={search}
        settings={[
          {
            name: texts.export,
            hint: said === '' ? texts.exportHint : said,
            control: (['jsonl', 'csv'] as const).map((format) => (
              <Button key={format} kind="line" isDisabled={act.isRunning} onPress={() => exportAs(format)}>
                {texts.formats[format]}
              </Button>
            )),
          },
          {
            name: texts.import,
            hint: running === null ? texts.importHint : importingText(running),
            control:
              running === null ? (
                <Button kind="line" isDisabled={act.isRunning} onPress={importList}>
                  {texts.importButton}
                </Button>
              ) : (
                <Button
                  kind="line"
                  aria-label={texts.stopImport}
                  onPress={() => sayFailure(client.call('objects.cancelImport', { id: running.id }))}
                >
                  {commonTexts.cancel}
                </Button>
              ),
          },
          {
            name: texts.addKnown,
            hint: texts.addKnownHint,
            control: (
              <Button kind="line" onPress={() => runCommand('addKnown')}>
                {texts.addKnownButton}
              </Button>
            ),
          },
        ]}
      />
      {act.error !== null && <ErrorNote {...errorText(act.error)} />}
      {report !== null && <ReportDialog report={report} onClose={() => setReport(null)} />}
    </>
  );
}

type ImportProgress = EventPayload<'objects.importProgress'>;

/** Progress of the running import of a service; null: none. */
function useImportProgress(serviceId: string | null): ImportProgress | null {
  const client = useClient();
  const [progress, setProgress] = useState<ImportProgress | null>(null);
  useEffect(
    () => client.on('objects.importProgress', (told) => setProgress(told.isOver ? null : told)),
    [client],
  );
  return progress?.serviceId === serviceId ? progress : null;
}

function importingText({ fileName, lines, doneBytes, totalBytes }: ImportProgress): string {
  const percent = formatPercent(totalBytes === 0 ? 0 : doneBytes / totalBytes);
  return texts.importing({ fileName, lines, percent });
}

function ReportDialog({ report, onClose }: { report: ImportReport; onClose: () => void }) {
  const { fileName, problemLines, problems } = report;
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={texts.report.title({ fileName })}
      buttons={
        <Button kind="primary" size="large" onPress={onClose}>
          {texts.report.done}
        </Button>
      }
    >
      <ul className="import-facts figures">
        {importFacts(report).map((fact) => (
          <li key={fact}>{fact}</li>
        ))}
      </ul>
      {problems.length > 0 && (
        <dl className="import-problems figures">
          {problems.map(({ line, problem }) => (
            <div key={line}>
              <dt>{texts.report.line({ line })}</dt>
              <dd>{importProblemText(problem)}</dd>
            </div>
          ))}
        </dl>
      )}
      {problemLines > problems.length && (
        <p>{texts.report.more({ count: problemLines - problems.length })}</p>
      )}
    </Dialog>
  );
}
