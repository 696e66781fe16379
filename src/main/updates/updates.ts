import { z } from 'zod';
import type { Handlers } from '../../shared/contract.ts';
import { toAppError } from '../../shared/app-failure.ts';
import { createHttp } from '../service/http.ts';
import type { Documents } from '../database/documents.ts';
import { openDocument } from '../database/collection.ts';
import { leftMs } from '../clock.ts';
import type { Host } from '../host.ts';
import { everyHour } from '../lib/timers.ts';
import type { Clock, Desktop, Log, Publisher, UpdateSource } from '../ports.ts';

/** Releases only: three numbers. */
const versionSchema = z.string().regex(/^\d{1,6}\.\d{1,6}\.\d{1,6}$/);
const answerSchema = z.object({ version: versionSchema });

/**
 * Asks an https address for the newest version, a JSON object with `version`, in one request. Follows no redirects,
 * reads at most 64 KiB, and sends nothing that identifies the computer: no cookie, name or version. Throws like the
 * client of a service.
 */
async function askNewestVersion(
  address: string,
  { authorities, signal }: { authorities?: string | undefined; signal: AbortSignal },
): Promise<string> {
  const url = new URL(address);
  const http = createHttp({
    baseAddress: url.origin,
    getToken: () => null,
    authorities,
    timeouts: { headersMs: 30_000, idleBodyMs: 10_000 },
  });
  try {
    const answer = await http.sendForJson(
      { method: 'GET', path: url, authenticated: false, signal },
      answerSchema,
    );
    return answer.version;
  } finally {
    await http.close();
  }
}

/** Both have three numbers. */
export function isNewer(version: string, than: string): boolean {
  const [left, right] = [version, than].map((text) => text.split('.').map(Number));
  for (const at of [0, 1, 2]) {
    const [a, b] = [left?.[at] ?? 0, right?.[at] ?? 0];
    if (a !== b) return a > b;
  }
  return false;
}

export interface Updates {
  readonly handlers: Pick<Handlers, 'updates.state' | 'updates.openReleasePage'>;
  settingsChanged(): void;
  close(): Promise<void>;
}

const weekMs = 7 * 24 * 60 * 60 * 1000;
/** Delay after the start, in ms, so as not to slow it down. */
const firstCheckAfterMs = 60_000;

/** When the address was last asked, and its last answer. */
const askedSchema = z.object({ atMs: z.number().nullable(), newest: z.string().nullable() });

/**
 * Announces newer versions if the person wants that: one request a week, also across restarts. Never downloads or
 * installs anything. Without a source it sends no requests.
 */
export async function createUpdates(deps: {
  source: UpdateSource | null;
  version: string;
  documents: Documents;
  clock: Clock;
  log: Log;
  publisher: Publisher;
  desktop: Pick<Desktop, 'openExternal'>;
  isWanted: () => boolean;
  /** Additional trusted authorities, as PEM. */
  authorities?: string;
}): Promise<Updates> {
  const { source, version, documents, clock, log, publisher, desktop, isWanted, authorities } = deps;
  const closing = new AbortController();
  const { signal } = closing;
  const asked = await openDocument(documents, ['updates', 'asked'], askedSchema, {
    atMs: null,
    newest: null,
  });
  let asking: Promise<void> | null = null;
  let wasWanted = isWanted();

  async function keep(next: z.infer<typeof askedSchema>): Promise<void> {
    await asked.set(next);
    publisher.publish('updates.changed', undefined);
  }

  function isDue(): boolean {
    const { atMs } = asked.get();
    return atMs === null || leftMs(atMs + weekMs, clock.nowMs(), weekMs) === 0;
  }

  async function ask({ address }: UpdateSource): Promise<void> {
    const before = asked.get();
    // Recorded before the request: whatever happens, it counts as this week's.
    await keep({ ...before, atMs: clock.nowMs() });
    try {
      await keep({ ...asked.get(), newest: await askNewestVersion(address, { authorities, signal }) });
    } catch (cause) {
      log.info('the newest version is not known', { cause });
      // Without a connection no request was made.
      if (toAppError(cause)?.code === 'unreachable') await keep(before);
    }
  }

  /** One request at a time. */
  async function check(): Promise<void> {
    if (source === null || !isWanted() || !isDue() || signal.aborted) return;
    asking ??= ask(source)
      .catch((cause: unknown) => log.error('the list does not take when updates were asked for', { cause }))
      .finally(() => {
        asking = null;
      });
    await asking;
  }

  // Hourly checks of the wall clock, because timers stand still during sleep.
  const looking = everyHour(
    clock,
    check,
    (cause) => log.error('updates were not looked for', { cause }),
    firstCheckAfterMs,
  );

  return {
    handlers: {
      'updates.state': () => {
        const { atMs, newest } = asked.get();
        const isTold = source !== null && isWanted() && newest !== null && isNewer(newest, version);
        return {
          host: source && new URL(source.address).host,
          askedAtMs: atMs,
          newerVersion: isTold ? newest : null,
        };
      },
      'updates.openReleasePage': async () => {
        if (source) await desktop.openExternal(source.releasePage);
        return undefined;
      },
    },
    settingsChanged() {
      if (isWanted() === wasWanted) return;
      wasWanted = isWanted();
      publisher.publish('updates.changed', undefined);
      void check();
    },
    async close() {
      closing.abort(new Error('Coffer closes'));
      await looking.close();
      await asking;
    },
  };
}

export async function updates(host: Host): Promise<Updates['handlers']> {
  const { about, settings } = host;
  const own = await createUpdates({
    ...host,
    source: about.updates,
    version: about.version,
    isWanted: () => settings().tellOfUpdates,
  });
  host.onClose(() => own.close());
  host.onSettingsChanged(() => own.settingsChanged());
  return own.handlers;
}
