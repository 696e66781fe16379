import { useEffect, useState } from 'react';
import type { EventPayload } from '../../../shared/contract.ts';
import { formatPercent } from '../../../shared/i18n/format.ts';
import { settingsTexts as texts } from '../../i18n/settings-texts.ts';
import { useClient } from '../../app/client.ts';
import { runCommand } from '../../app/commands.ts';
import { useActiveService } from '../../app/stores.ts';
import { sayFailure } from '../../app/say-failure.ts';
import { useAct } from '../../app/use-act.ts';
import { commonTexts } from '../../i18n/common-texts.ts';
import { errorText } from '../../../shared/i18n/error-text.ts';
import { announce } from '../../ui/announce.tsx';
import { Button } from '../../ui/Button.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { Section } from './Section.tsx';
import { objectChangeTexts } from '../../i18n/object-change-texts.ts';

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

/** The active service's list of objects: export, import, and known identifiers. */
export function CatalogueSection({ search }: { search: string }) {
  const client = useClient();
  const service = useActiveService();
  const running = useImportProgress(service?.id ?? null);
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
                <Button kind="line" isDisabled={act.isRunning} onPress={() => runCommand('importList')}>
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
            name: objectChangeTexts.addKnown.title,
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
    </>
  );
}
