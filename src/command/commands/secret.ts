import { renewBySchema } from '../../shared/domain/secret.ts';
import type { Context, Run } from '../context.ts';
import { Usage } from '../errors/errors.ts';
import { exitCodes } from '../errors/exit-code.ts';
import { followTransfers } from '../transfers/follow.ts';
import { copySecret, forValues, readSecrets, serviceFinder, type Wanted } from '../secrets/read-secrets.ts';
import { beginsAsReference, parseReference } from '../secrets/reference.ts';
import { secretTexts as texts } from '../secrets/texts.ts';
import { readValue } from '../secrets/value.ts';
import { transferJson } from '../terminal/json.ts';

export interface NewOptions {
  readonly classification?: string;
  readonly newVersion?: true;
  readonly storeAnyway?: true;
  readonly renewBy?: string;
}

/** `coffer secret new ID [--classification C] [--new-version] [--store-anyway]` */
export function create(
  identifier: string,
  { classification, newVersion, storeAnyway, renewBy }: NewOptions,
): Run {
  return async (context) => {
    if (renewBy !== undefined && !renewBySchema.safeParse(renewBy).success) throw new Usage(texts.badDate);
    const { coffer, output } = context;
    const { id: serviceId } = await context.service();
    const { value, hadLineEnd } = await readValue(context.io, identifier);
    const { transferId } = await coffer
      .call('secrets.store', {
        serviceId,
        identifier,
        source: { kind: 'bytes', base64: value.toString('base64') },
        ...(classification !== undefined && { classification }),
        ...(newVersion && { asNewVersion: true }),
        ...(storeAnyway && { storesUnseen: true }),
        ...(renewBy !== undefined && { renewBy }),
      })
      .finally(() => value.fill(0));
    return followTransfers(context, [transferId], {
      ended(transfer) {
        if (transfer.state !== 'done') return;
        output.result(texts.stored({ identifier: transfer.identifier }), transferJson(transfer));
        if (hadLineEnd) output.say(texts.withoutLineEnd);
      },
    });
  };
}

/** `coffer secret get ID [--reveal]`: writes the bytes as stored, without a line end. */
export function get(wanted: string, { reveal }: { reveal?: true }): Run {
  return async (given) => {
    const { io, output } = given;
    const isTerminal = io.stdout.isTTY;
    if (isTerminal && !reveal) throw new Usage(texts.noTerminal);
    const context = await forValues(given);
    const one = await secretOf(context, wanted);
    const [value = Buffer.alloc(0)] = await readSecrets(context, [one], programName);
    try {
      if (output.isJson) output.result('', valueJson(one.identifier, value));
      else if (isTerminal) io.stdout.write(Buffer.concat([value, Buffer.from('\n')]));
      else io.stdout.write(Buffer.from(value));
      await output.flushed();
    } finally {
      value.fill(0);
    }
    return exitCodes.done;
  };
}

/** `coffer secret copy ID`. The process that copied the value clears it: without the app, this command runs until then. */
export function copy(wanted: string): Run {
  return async (given) => {
    const context = await forValues(given);
    const { coffer, output, doneBy, interrupted, makeWay } = context;
    const one = await secretOf(context, wanted);
    const { identifier } = one;
    const ended = Promise.withResolvers<void>();
    let isCleared = false;
    if (doneBy === 'thisCommand')
      await coffer.follow('secrets.clipboardChanged', ({ objectId }) => {
        isCleared = objectId === null;
        if (isCleared) ended.resolve();
      });
    const clearsAtMs = await copySecret(context, one, programName);
    const seconds = clearsAtMs === null ? 0 : Math.round((clearsAtMs - Date.now()) / 1000);
    output.result(texts.copied({ identifier, seconds }), {
      identifier,
      clears: clearsAtMs === null ? null : new Date(clearsAtMs).toISOString(),
    });
    if (doneBy === 'app') return exitCodes.done;
    output.say(texts.willClear);
    for (const signal of [interrupted, makeWay]) {
      signal.addEventListener('abort', () => ended.resolve());
      if (signal.aborted) ended.resolve();
    }
    await Promise.race([ended.promise, coffer.gone]);
    await coffer.call('secrets.clearClipboard', undefined);
    if (isCleared) output.say(texts.cleared);
    else {
      output.error(texts.notCleared);
      return exitCodes.error;
    }
    return interrupted.aborted ? exitCodes.interrupted : exitCodes.done;
  };
}

const programName = 'coffer secret';

/** @param wanted an identifier in the service of the command, or a reference. @throws Usage */
async function secretOf(context: Context, wanted: string): Promise<Wanted> {
  const given = { name: texts.given.output, place: wanted };
  if (!beginsAsReference(wanted)) return { ...given, service: await context.service(), identifier: wanted };
  const reference = parseReference(wanted);
  if (typeof reference === 'string')
    throw new Usage(texts.problem[reference]({ place: texts.given.output, text: wanted }));
  const find = await serviceFinder(context);
  return { ...given, service: find(reference.service), identifier: reference.identifier };
}

function valueJson(identifier: string, value: Buffer): object {
  const text = value.toString('utf8');
  return Buffer.from(text).equals(value)
    ? { identifier, encoding: 'utf8', value: text }
    : { identifier, encoding: 'base64', value: value.toString('base64') };
}
