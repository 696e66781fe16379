import { useState } from 'react';
import type { ImportReport } from '../../../shared/contract.ts';
import { useClient } from '../../app/client.ts';
import { useCommand } from '../../app/commands.ts';
import { DialogPane } from '../../app/Pane.tsx';
import { sayFailure } from '../../app/say-failure.ts';
import { importFacts, importProblemText, settingsTexts as texts } from '../../i18n/settings-texts.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import './import-list.css';

/** Opened by a command: asks for a file, adds the objects it lists, and shows the result. */
export function ImportList({ serviceId }: { serviceId: string }) {
  const client = useClient();
  const [report, setReport] = useState<ImportReport | null>(null);
  useCommand('importList', () => sayFailure(client.call('objects.import', { serviceId }).then(setReport)));
  const close = () => setReport(null);
  return (
    report !== null && (
      <DialogPane onClose={close}>
        <ReportDialog report={report} onClose={close} />
      </DialogPane>
    )
  );
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
