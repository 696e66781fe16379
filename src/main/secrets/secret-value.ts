import { basename } from 'node:path';
import { judgeSize, maxSecretBytes } from '../../shared/domain/limits.ts';
import type { SecretSource, SecretValue } from '../../shared/domain/secret.ts';
import { AppFailure } from '../../shared/app-failure.ts';
import type { Grants } from '../local-files/grants.ts';
import { openSource } from '../local-files/source.ts';
import { createTemporaryFile, newTemporaryName, targetOfPath } from '../local-files/target.ts';
import type { WebMark } from '../local-files/web-mark.ts';

/** A value to store, with the name of its file. */
export interface SecretBytes {
  readonly value: Uint8Array;
  readonly sourceName: string | null;
}

/**
 * The bytes of a value that a person typed (as UTF-8) or of a file they chose. A file over the limit (section 8 of
 * the interface, or the service's exact one) is not read.
 * @throws AppFailure tooLarge, invalidInput (no value, half a character), notFound (grant), fileGone, fileUnreadable,
 * fileSpecial (links too), fileChanged
 */
export async function readSecretSource(
  source: SecretSource,
  grants: Pick<Grants, 'resolve'>,
  exactLimitBytes: number | null,
): Promise<SecretBytes> {
  if (source.kind === 'text') {
    if (!source.text.isWellFormed()) throw refusal('loneSurrogate');
    const value = new TextEncoder().encode(source.text);
    checkSize(value.length, exactLimitBytes);
    return { value, sourceName: null };
  }
  if (source.kind === 'bytes') {
    const value = Buffer.from(source.base64, 'base64');
    checkSize(value.length, exactLimitBytes);
    return { value, sourceName: null };
  }
  const path = grants.resolve(source.grant);
  const sourceName = basename(path);
  const file = await openSource(path, sourceName, null);
  try {
    checkSize(file.sizeBytes, exactLimitBytes);
    const signal = new AbortController().signal;
    const body = await file.body({ signal, onProgress: () => undefined });
    if (!(body instanceof Uint8Array)) throw new Error('a secret is larger than one piece');
    return { value: body, sourceName };
  } finally {
    await file.close();
  }
}

function checkSize(sizeBytes: number, exactLimitBytes: number | null): void {
  if (sizeBytes === 0) throw refusal('emptySecret');
  if (judgeSize(sizeBytes, maxSecretBytes, exactLimitBytes) !== 'tooLarge') return;
  throw new AppFailure({ code: 'tooLarge', limitBytes: exactLimitBytes ?? maxSecretBytes.possible });
}

function refusal(problem: string): AppFailure {
  return new AppFailure({ code: 'invalidInput', field: 'source', problem });
}

/** Text only if all bytes are UTF-8. */
export function toSecretValue(value: Uint8Array): SecretValue {
  const lengthBytes = value.length;
  const text = decode(value);
  return text === null
    ? { kind: 'binary', hex: Buffer.from(value).toString('hex'), lengthBytes }
    : { kind: 'text', text, lengthBytes };
}

/** Whether a clipboard can hold it unchanged. */
export function isCopyable(value: Uint8Array): boolean {
  return !value.includes(0) && decode(value) !== null;
}

/**
 * Text that a clipboard can hold unchanged: without NUL, which ends it on many systems.
 * @throws AppFailure secretNotText
 */
export function toClipboardText(value: Uint8Array): string {
  const text = value.includes(0) ? null : decode(value);
  if (text === null) throw new AppFailure({ code: 'secretNotText' });
  return text;
}

function decode(value: Uint8Array): string | null {
  try {
    // A byte order mark belongs to the value.
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(value);
  } catch {
    return null;
  }
}

/**
 * Writes a file that only its owner can ever read, at the absolute path a person chose. Returns its path: without `replaces`,
 * an existing file stays, and this one gets a free name beside it.
 * @throws AppFailure diskFull, folderGone, folderReadOnly
 */
export async function savePrivately(
  path: string,
  value: Uint8Array,
  replaces = true,
  mark?: WebMark,
): Promise<string> {
  const file = await createTemporaryFile(
    { ...targetOfPath(path), replaces, isPrivate: true, mark },
    newTemporaryName(basename(path)),
  );
  try {
    await file.write(value);
    return (await file.publish()).path;
  } catch (cause) {
    await file.discard();
    throw cause;
  }
}
