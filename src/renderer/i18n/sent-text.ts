import { messages } from '../../shared/i18n/messages.ts';

const texts = messages('sent', { waiting: 'Sent, waiting for the service' });

/** For an upload that is completely sent but not answered yet; null: not completely sent, or unknown. */
export function sentText(upload: { doneBytes: number; totalBytes: number | null }): string | null {
  const { doneBytes, totalBytes } = upload;
  return totalBytes !== null && totalBytes > 0 && doneBytes >= totalBytes ? texts.waiting : null;
}
