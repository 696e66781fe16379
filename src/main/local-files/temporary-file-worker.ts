import { type AppError } from '../../shared/errors.ts';
import { toAppError } from '../../shared/app-failure.ts';
import { blockingFiles, createWholeWriter } from './blocking-files.ts';
import { codeOf } from './file-system.ts';
import { makeTemporaryFile, type Target, type TemporaryFile } from './temporary-file.ts';
import type { Placed } from './publish-file.ts';
import { hostWorker } from './worker-host.ts';

/** All orders for one temporary file have its id, and are carried out in sequence. */
export type WriteOrder = { readonly id: number } & (
  | {
      /** Creates the temporary file under the first free name, and writes it. */
      readonly kind: 'make';
      readonly target: Target;
      readonly temporaryNames: readonly string[];
      readonly bytes: Uint8Array;
    }
  | { readonly kind: 'sync' }
  | { readonly kind: 'publish' }
  | { readonly kind: 'discard' }
);

/** One for each order. */
export type WriteAnswer = { readonly id: number } & (
  | { readonly made: { readonly path: string; readonly sha256: string } }
  | { readonly placed: Placed }
  | { readonly isDone: true }
  | { readonly failure: WriteFailure }
);

/** An error of `makeTemporaryFile` or of the temporary file. */
export interface WriteFailure {
  readonly error: AppError | null;
  readonly code: string | undefined;
  readonly message: string;
}

const temporaryFiles = new Map<number, Promise<TemporaryFile>>();

async function make({
  target,
  temporaryNames,
  bytes,
}: Extract<WriteOrder, { kind: 'make' }>): Promise<TemporaryFile> {
  const file = await createUnder(target, temporaryNames);
  try {
    await file.write(bytes);
    return file;
  } catch (cause) {
    await file.discard();
    throw cause;
  }
}

async function createUnder(
  target: Target,
  [name = '', ...others]: readonly string[],
): Promise<TemporaryFile> {
  try {
    return await makeTemporaryFile(target, name, blockingFiles, createWholeWriter);
  } catch (cause) {
    if (codeOf(cause) !== 'EEXIST' || others.length === 0) throw cause;
    return createUnder(target, others);
  }
}

async function carryOut(order: WriteOrder): Promise<WriteAnswer> {
  const { id } = order;
  if (order.kind === 'make') {
    const making = make(order);
    temporaryFiles.set(id, making);
    const file = await making;
    return { id, made: { path: file.path, sha256: await file.digest() } };
  }
  const file = await temporaryFiles.get(id);
  if (file === undefined) throw new Error('There is no such temporary file');
  if (order.kind === 'sync') {
    await file.sync();
    return { id, isDone: true };
  }
  if (order.kind === 'discard') {
    temporaryFiles.delete(id);
    await file.discard();
    return { id, isDone: true };
  }
  const placed = await file.publish();
  temporaryFiles.delete(id);
  return { id, placed };
}

hostWorker<WriteOrder, WriteAnswer>((order, answer) => {
  carryOut(order).then(answer, (cause: unknown) => {
    if (order.kind === 'make') temporaryFiles.delete(order.id);
    const message = cause instanceof Error ? cause.message : String(cause);
    answer({ id: order.id, failure: { error: toAppError(cause) ?? null, code: codeOf(cause), message } });
  });
});
