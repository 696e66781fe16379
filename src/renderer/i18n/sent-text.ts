import { messages } from '../../shared/i18n/messages.ts';

const texts = messages('sent', { waiting: 'Sent, waiting for the service' });

/** For an upload whose every byte is out while the service has not answered yet; null: some are to go, or it is not known. */
export function sentText(upload: { doneBytes: number; totalBytes: number | null }): string | null {
  const { doneBytes, totalBytes } = upload;
  return totalBytes !== null && totalBytes > 0 && doneBytes >= totalBytes ? texts.waiting : null;
}
