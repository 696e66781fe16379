import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, rm, stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { findStored, Usage, type Context, type Run } from '../context.ts';
import { exitCodeOfAll, exitCodes, type ExitCode } from '../exit-code.ts';
import { followTransfers } from '../follow.ts';
import { commandTexts as texts } from '../texts.ts';
import { transferJson } from './transfers.ts';

export interface GetOptions {
  /** A file, a folder, or `-` for standard output. */
  readonly output?: string;
  readonly deferred?: true;
}

/** `coffer get ID… [-o PATH|-] [--deferred]` */
export function get(identifiers: readonly string[], { output: to, deferred }: GetOptions): Run {
  return async (context) => {
    const service = await context.service();
    const request = deferred ? 'deferred' : 'direct';
    const isFolder = to !== undefined && to !== '-' && (await isDirectory(to));
    if (to !== undefined && !isFolder && identifiers.length > 1) throw new Usage(texts.oneIntoFile);
    const rows = await findStored(context, service, identifiers);
    if (rows.length === 0) return exitCodes.notFound;
    const { coffer } = context;
    const begin = async (objectId: number, path: string | null) => {
      const [grant = null] = path === null ? [] : await coffer.grant([path]);
      return (await coffer.call('command.get', { objectId, grant, request })).id;
    };
    const [first] = rows;
    let code: ExitCode;
    if (to === '-' && first) code = await toStandardOutput(context, (path) => begin(first.id, path));
    else {
      const ids: number[] = [];
      for (const { id, identifier } of rows) {
        const name = identifier.split(service.separator).at(-1) ?? identifier;
        ids.push(await begin(id, to === undefined ? null : isFolder ? join(resolve(to), name) : resolve(to)));
      }
      code = await followTransfers(context, ids, {
        ended(transfer) {
          const { identifier, state, outcome } = transfer;
          if (state !== 'done' || outcome?.kind !== 'saved') return;
          context.output.result(
            texts.saved({ identifier, fileName: outcome.fileName }),
            transferJson(transfer),
          );
        },
      });
    }
    const absent = Array.from({ length: identifiers.length - rows.length }, () => exitCodes.notFound);
    return exitCodeOfAll([code, ...absent]);
  };
}

/** Nothing is written before the whole of it is here and proven. */
async function toStandardOutput(
  context: Context,
  begin: (path: string) => Promise<number>,
): Promise<ExitCode> {
  const folder = join(context.dataFolder, 'streams', randomUUID());
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, 'bytes');
  try {
    const code = await followTransfers(context, [await begin(path)], { ended: () => undefined });
    if (code !== exitCodes.done) return code;
    await context.output.flushed();
    await pipeline(createReadStream(path), process.stdout, { end: false });
    return code;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function isDirectory(path: string): Promise<boolean> {
  if (path.endsWith('/') || basename(path) === '.') return true;
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
