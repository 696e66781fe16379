import { secretTexts } from '../../i18n/secret-texts.ts';
import type { Client } from '../../app/client.ts';
import { formatExactBytes } from '../../../shared/i18n/format.ts';
import { announce } from '../../ui/announce.tsx';
import { refusedText } from '../../i18n/refused-text.ts';
import { utf8Length } from './secret-size.ts';

const texts = secretTexts.create;

/** Typed text, or a file, whose bytes never reach the page. */
export type ValueDraft =
  | { kind: 'text'; text: string; sizeBytes: number }
  /** `isText` null: unknown, for example because it is too large to be read. */
  | { kind: 'file'; name: string; grant: string; sizeBytes: number; isText: boolean | null };

export const emptyValue: ValueDraft = { kind: 'text', text: '', sizeBytes: 0 };

export function draftOfText(text: string): ValueDraft {
  return { kind: 'text', text, sizeBytes: utf8Length(text) };
}

/** From one dropped, pasted or chosen file. null: not possible, and the person was told why. */
export async function draftOfFiles(
  client: Client,
  serviceId: string,
  files: readonly File[],
): Promise<ValueDraft | null> {
  const [file, another] = files;
  if (file === undefined) return null;
  if (another !== undefined) {
    announce(texts.oneFile, 'assertive');
    return null;
  }
  const { grants, refused } = await client.grantFiles([file]);
  const [grant] = grants;
  if (grant === undefined) {
    announce(refusedText(refused[0] ?? file.name, 1), 'assertive');
    return null;
  }
  announce(texts.fileTaken({ fileName: file.name, size: formatExactBytes(file.size) }), 'polite', {
    isOnScreen: true,
  });
  return {
    kind: 'file',
    name: file.name,
    grant,
    sizeBytes: file.size,
    isText: await isText(client, serviceId, grant),
  };
}

/** If it cannot be read now, storing it reports the error. */
async function isText(client: Client, serviceId: string, grant: string): Promise<boolean | null> {
  try {
    return (await client.call('secrets.inspect', { serviceId, grant })).isText;
  } catch {
    return null;
  }
}
