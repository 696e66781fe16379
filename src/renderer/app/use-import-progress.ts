import { useEffect, useState } from 'react';
import type { EventPayload } from '../../shared/contract.ts';
import { formatPercent } from '../../shared/i18n/format.ts';
import { settingsTexts as texts } from '../i18n/settings-texts.ts';
import { useClient } from './client.ts';

type ImportProgress = EventPayload<'objects.importProgress'>;

/** Progress of the running import of a service; null: none. */
export function useImportProgress(serviceId: string | null): ImportProgress | null {
  const client = useClient();
  const [progress, setProgress] = useState<ImportProgress | null>(null);
  useEffect(
    () => client.on('objects.importProgress', (told) => setProgress(told.isOver ? null : told)),
    [client],
  );
  return progress?.serviceId === serviceId ? progress : null;
}

export function importingText({ fileName, lines, doneBytes, totalBytes }: ImportProgress): string {
  const percent = formatPercent(totalBytes === 0 ? 0 : doneBytes / totalBytes);
  return texts.importing({ fileName, lines, percent });
}
