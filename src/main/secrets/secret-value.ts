import { basename } from 'node:path';
import { judgeSize, maxSecretBytes } from '../../shared/domain/limits.ts';
import type { SecretSource, SecretValue } from '../../shared/domain/secret.ts';
import { AppFailure } from '../../shared/app-failure.ts';
import type { Grants } from '../local-files/grants.ts';
import { openSource } from '../local-files/source.ts';
import { createTemporaryFile, newTemporaryName, targetOfPath } from '../local-files/target.ts';

/** A value on its way in, with the name of the file it came from. */
export interface SecretBytes {
  readonly value: Uint8Array;
  readonly sourceName: string | null;
}

/**
 * The bytes of what a person typed (as UTF-8) or chose. Section 8 of the interface, or the service's exact limit; of a file
 * that is larger nothing is read.
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

/** Text only when it is UTF-8 to the last byte. */
export function toSecretValue(value: Uint8Array): SecretValue {
  const lengthBytes = value.length;
  const text = decode(value);
  return text === null
    ? { kind: 'binary', hex: Buffer.from(value).toString('hex'), lengthBytes }
    : { kind: 'text', text, lengthBytes };
}

/** Whether a clipboard carries it whole. */
export function isCopyable(value: Uint8Array): boolean {
  return !value.includes(0) && decode(value) !== null;
}

/** What a clipboard carries whole: text, without the NUL that ends it on many systems. @throws AppFailure secretNotText */
export function toClipboardText(value: Uint8Array): string {
  const text = value.includes(0) ? null : decode(value);
  if (text === null) throw new AppFailure({ code: 'secretNotText' });
  return text;
}

function decode(value: Uint8Array): string | null {
  try {
    // A byte order mark is a part of the value.
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(value);
  } catch {
    return null;
  }
}

/**
 * Replaces the file at the absolute path a person chose; readable by its owner only, from its first byte on.
 * @throws AppFailure diskFull, folderGone, folderReadOnly
 */
export async function savePrivately(path: string, value: Uint8Array): Promise<void> {
  const part = await createTemporaryFile(
    { ...targetOfPath(path), isPrivate: true },
    newTemporaryName(basename(path)),
  );
  try {
    await part.write(value);
    await part.publish();
  } catch (cause) {
    await part.discard();
    throw cause;
  }
}
