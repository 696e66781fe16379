import type { Context, StepWay } from './context.ts';
import type { Endings } from './endings.ts';
import { uploadOf, type Entry } from './entry.ts';
import type { Lane } from './lanes.ts';
import type { UploadSteps } from './upload-steps.ts';

/** The starts of sections 4.2 and 4.3. The token is on the disk before anything is done with it. */
export function createStarting(
  { clock, journal, list }: Context,
  endings: Endings,
  uploads: UploadSteps,
): (entry: Entry, way: StepWay) => Promise<void> {
  /** Answers the deferred token; null: the job came to its end without one. */
  async function send(entry: Entry, way: StepWay): Promise<string | null> {
    const { identifier, work } = entry.record;
    const { client, signal } = way;
    const upload = uploadOf(entry);
    if (upload) return uploads.start(entry, upload, way);
    const value = entry.secret;
    if (work.kind === 'storeSecret' && value === null) {
      await endings.fail(entry, { code: 'cancelled' });
      return null;
    }
    await way.turn();
    await list.move(entry, 'sending', { error: null });
    if (work.kind === 'download')
      return (await client.startDataDownload(identifier, { signal })).deferredToken;
    if (work.kind === 'readSecret')
      return (await client.startSecretDownload(identifier, { signal })).deferredToken;
    const { classification } = work.kind === 'storeSecret' ? work : { classification: null };
    const bytes = value ?? new Uint8Array();
    const body = (async function* () {
      yield bytes;
    })();
    const options = { lengthBytes: bytes.length, classification, signal };
    return (await client.startSecretUpload(identifier, body, options)).deferredToken;
  }

  async function started(entry: Entry, deferredToken: string, lane: Lane): Promise<void> {
    const now = journal.now();
    entry.lastUseMs = clock.monotonicMs();
    entry.tries = 0;
    await list.move(entry, 'processing', {
      deferredToken,
      startedAt: now,
      usedAt: now,
      warned: 0,
    });
    entry.secret?.fill(0);
    entry.secret = null;
    entry.dueMs = clock.monotonicMs() + lane.spacing.nextMs(0);
  }

  return async (entry, way) => {
    const token = await send(entry, way);
    if (token !== null) await started(entry, token, way.lane);
  };
}
