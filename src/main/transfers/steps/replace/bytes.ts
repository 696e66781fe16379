import { toAppError, AppFailure } from '../../../../shared/app-failure.ts';
import type { VaultBytes } from '../../undo/sealed.ts';
import type { Replace } from '../../model/replace.ts';
import type { StepContext } from '../step.ts';
import { workOf } from '../../model/next.ts';
import { provenPieces } from '../stored-bytes.ts';
import { sendFile } from '../upload.ts';

/**
 * Stores the new bytes there, from this computer or from the copy beside the object. false: the identifier exists
 * already.
 * @throws CircuitOpen, AppFailure; fileChanged when the file has changed since the Replace began
 */
export async function storeMine(
  context: StepContext,
  { mine, staged }: Replace,
  identifier: string,
): Promise<boolean> {
  const { service, record } = context;
  const work = workOf(context, 'upload');
  if (mine === null) throw new Error('a Replace stores what it has not seen');
  const isAtService = mine.file === null && (identifier !== staged || work.reclassifies === true);
  if (isAtService && identifier === staged)
    return copyBeside(context, record.identifier, mine, identifier, work.classification).catch(asChanged);
  if (isAtService && staged !== null)
    return copyBeside(context, staged, mine, identifier, work.classification);
  return unlessThere(async () => {
    const { sent } = await sendFile(context, identifier, (body, options) =>
      service.post(identifier, body, options),
    );
    if (sent.sha256 !== mine.sha256) throw new AppFailure({ code: 'fileChanged', fileName: work.fileName });
  });
}

/**
 * Copies an object to another identifier without storing it here. The last piece is sent only when all bytes were the
 * expected ones, so that nothing else is ever stored. false: the identifier exists already. @throws digestDiffers,
 * missing
 */
export async function copyBeside(
  context: StepContext,
  from: string,
  expected: VaultBytes,
  to: string,
  classification: string | null,
): Promise<boolean> {
  const { service } = context;
  const body = provenPieces(context, from, expected);
  const options = { lengthBytes: expected.lengthBytes, classification };
  return unlessThere(() => service.post(to, body, options));
}

function asChanged(cause: unknown): never {
  const code = toAppError(cause)?.code;
  if (code === 'digestDiffers' || code === 'missing')
    throw new AppFailure({ code: 'objectChanged', copy: null }, { cause });
  throw cause;
}

async function unlessThere(store: () => Promise<unknown>): Promise<boolean> {
  try {
    await store();
    return true;
  } catch (cause) {
    if (toAppError(cause)?.code === 'exists') return false;
    throw cause;
  }
}
