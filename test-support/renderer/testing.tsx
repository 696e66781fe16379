import { act, render, within, type RenderResult } from '@testing-library/react';
import { userEvent, type UserEvent } from '@testing-library/user-event';
import type { ReactNode } from 'react';
import type { Bridge } from '../../src/shared/bridge.ts';
import type {
  AppInfo,
  EventName,
  EventPayload,
  Input,
  ObjectRow,
  Output,
  ProcedureName,
  SelectionMix,
} from '../../src/shared/contract.ts';
import type { Edit } from '../../src/shared/domain/edit.ts';
import type { Service } from '../../src/shared/domain/service.ts';
import { settingsDefault } from '../../src/shared/domain/settings.ts';
import type { Task } from '../../src/shared/domain/task.ts';
import type { TeamStatus } from '../../src/shared/domain/team.ts';
import type { Transfer } from '../../src/shared/domain/transfer.ts';
import type { TransferSummary } from '../../src/shared/domain/transfer-summary.ts';
import { idleSummary } from '../idle-summary.ts';
import { toAppError } from '../../src/shared/app-failure.ts';
import { AppProvider } from '../../src/renderer/app/AppProvider.tsx';
import { createClient, type Client } from '../../src/renderer/app/client.ts';
import { features } from '../../src/renderer/features.ts';

export { expectAccessible } from './expect-accessible.ts';

/** Replies of a fake main process. Throw an AppFailure to reject. */
export type Answers = { [N in ProcedureName]?: (input: Input<N>) => Output<N> | Promise<Output<N>> };

export const testService: Service = {
  id: 'p1',
  name: 'Meridian Archive',
  baseAddress: 'https://objects.meridian.example',
  isLocal: false,
  insecureAllowed: false,
  maxObjectBytes: null,
  maxSecretBytes: null,
  allowsParts: true,
  proxy: { kind: 'system' },
  clientCertificate: null,
  authority: null,
  downloadFolderLabel: '~/Downloads',
  classificationSource: { kind: 'none' },
  identifierTemplate: '{path}',
  separator: '/',
  versionMark: '@{number}',
  connection: 'ready',
  trouble: null,
  tokenStoredIn: 'keychain',
};

export const testTeam: TeamStatus = {
  server: { host: 'db.meridian.example', port: 5432, database: 'coffer_team', role: 'anna' },
  list: { id: 3, name: 'Archive' },
  me: 1,
  syncState: { kind: 'live', leftOut: 0 },
  due: 0,
  mayContribute: true,
  setAside: 0,
  noteConflicts: 0,
  passwordStoredIn: 'keychain',
};

/** The test service is in a team of two, and a former member. */
export function inTeam(status: Partial<TeamStatus> = {}): Answers {
  return {
    'team.status': () => ({ revision: 2, team: { ...testTeam, ...status } }),
    'team.people': () => ({
      me: 1,
      people: [
        { id: 1, shown: 'Anna Berg', isEnded: false },
        { id: 2, shown: 'Ruth Okafor', isEnded: false },
        { id: 3, shown: 'Tom', isEnded: true },
      ],
    }),
  };
}

export const testInfo: AppInfo = {
  version: '1.0.0',
  platform: 'linux',
  shell: 'chromium',
  systemLanguages: ['en'],
  keychain: { usable: true, error: null, tokens: 1 },
  catalogue: { state: 'ready' },
  crash: null,
};

export const testEdit: Edit = {
  id: '11111111-1111-4111-8111-111111111111',
  serviceId: 'p1',
  objectId: 1,
  identifier: 'reports/minutes.docx',
  state: 'editing',
  startedAtMs: 0,
  savedAtMs: null,
  storedAtMs: null,
  mine: null,
  theirs: null,
  transferId: null,
  waitingFor: null,
  error: null,
  isFinishing: false,
  saveAs: 'newVersion',
};

export const testObject: ObjectRow = {
  id: 1,
  serviceId: 'p1',
  identifier: 'a.txt',
  kind: 'data',
  state: 'stored',
  lengthBytes: 10,
  sha256: null,
  classification: null,
  sourceName: null,
  storedAtMs: null,
  checkedAtMs: null,
  activityToken: null,
  note: '',
  transfer: null,
};

export const testTransfer: Transfer = {
  id: 1,
  serviceId: 'p1',
  kind: 'data',
  route: 'direct',
  direction: 'upload',
  identifier: 'a.bin',
  objectId: 1,
  state: 'waiting',
  waitingFor: 'turn',
  priority: 'normal',
  createdAtMs: 0,
  retryAtMs: null,
  window: null,
  doneBytes: 0,
  totalBytes: 1_000_000,
  bytesPerSecond: null,
  leftMs: null,
  error: null,
  activityToken: null,
  outcome: null,
  finishedAtMs: null,
};

export const testTask: Task = {
  id: 1,
  kind: 'check',
  serviceId: 'p1',
  state: 'running',
  total: 1,
  done: 0,
  present: 0,
  missing: 0,
  failed: 0,
  retryAtMs: null,
  error: null,
};

export { idleSummary as testSummary };

/** A page of the list without rows. */
export function pageOf(summary: TransferSummary, total = 0): Output<'transfers.page'> {
  return { summary, counts: summary.transfers.counts, total, offset: 0, rows: [] };
}

/** The dock's page of transfers without batches. */
export function dockPageOf({ rows, ...page }: Output<'transfers.page'>): Output<'transfers.dock'> {
  const verifying = rows.filter(({ state }) => state === 'verifying').length;
  return { ...page, entries: page.counts, verifying, rows: rows.map((transfer) => ({ transfer })) };
}

const quiet: Answers = {
  'app.info': () => testInfo,
  'settings.get': () => settingsDefault,
  'services.list': () => ({ revision: 1, services: [testService], activeId: testService.id }),
  'transfers.page': () => pageOf(idleSummary),
  'approvals.list': () => ({ asks: [], approvals: [] }),
  'objects.unsentDeletions': () => ({ count: 0 }),
  'app.nameUndos': () => undefined,
  'transfers.open': () => ({ ids: [] }),
  'transfers.picked': () => ({ rows: [] }),
  'edits.list': () => ({ revision: 1, edits: [] }),
  'edits.choices': () => ({ saveAs: 'newVersion', forbidden: [] }),
  'tasks.list': () => ({ revision: 1, tasks: [] }),
  'team.status': () => ({ revision: 1, team: null }),
  'links.take': () => ({ link: null }),
  'watch.list': () => ({ revision: 1, folders: [] }),
  'files.takeDropped': () => ({ grants: [], refused: 0 }),
  'objects.collections': () => ({
    all: 0,
    gone: 0,
    secrets: 0,
    attention: 0,
    hasFolders: false,
    classifications: [],
  }),
  'objects.folders': () => ({ folders: [], more: 0 }),
  'objects.page': () => ({ revision: 1, total: 0, totalBytes: 0, offset: 0, rows: [] }),
  'classifications.list': () => ({ values: [], recent: [], start: null, preferred: null, error: null }),
  'objects.stored': () => ({ stored: [] }),
  'uploadPlans.reclassified': () => ({ changes: [] }),
  'transfers.conflictPrompt': () => ({ prompt: null }),
  'uploadPlans.current': () => null,
  'updates.state': () => ({ host: null, askedAtMs: null, newerVersion: null }),
  'proxies.list': () => ({ proxies: [] }),
  'undo.ofObject': () => ({ versions: [] }),
  'undo.summary': () => ({ bytes: 0, count: 0, clearableBytes: 0, clearableCount: 0 }),
  'undo.unknown': () => ({ files: [] }),
  'secrets.clipboard': () => ({ objectId: null, clearsAtMs: null, waitsForFocus: false }),
};

export type FakeMain = {
  client: Client;
  /** Every call, in order. */
  calls: { name: string; input: unknown }[];
  /** The names of the answered calls, in order. A call that was only made may still be pending. */
  answered: string[];
  emit: <E extends EventName>(event: E, payload: EventPayload<E>) => void;
};

/** A real client over a bridge that replies as given, else like an empty Coffer with one service. */
export function createFakeMain(answers: Answers = {}): FakeMain {
  const calls: FakeMain['calls'] = [];
  const answered: string[] = [];
  const listeners = new Set<(event: string, payload: unknown) => void>();
  const all = { ...quiet, ...answers };
  const handlers: Record<string, ((input: never) => unknown) | undefined> = {
    // The same list for the dock: no transfer is in a batch.
    'transfers.dock': async ({ offset, limit }: Input<'transfers.dock'>) => {
      const page = await all['transfers.page']?.({ tab: 'transfers', offset, limit });
      return dockPageOf(page ?? pageOf(idleSummary));
    },
    ...all,
  };
  const bridge: Bridge<File> = {
    async call(name, input) {
      calls.push({ name, input });
      const handler = handlers[name];
      if (handler === undefined) return { ok: false, error: { code: 'unknownProcedure' } };
      try {
        return { ok: true, value: await handler(input as never) };
      } catch (cause) {
        return { ok: false, error: toAppError(cause) ?? { code: 'unexpected', reference: String(cause) } };
      } finally {
        answered.push(name);
      }
    },
    on(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    grantFiles: async (files) => ({ grants: files.map(({ name }) => name), refused: [] }),
    startDrag: () => void calls.push({ name: 'startDrag', input: undefined }),
    memoryBytes: async () => 0,
  };
  return {
    client: createClient(bridge),
    calls,
    answered,
    emit: (event, payload) => listeners.forEach((listener) => listener(event, payload)),
  };
}

export function renderInApp(
  ui: ReactNode,
  answers?: Answers,
): RenderResult & { main: FakeMain; user: UserEvent } {
  const main = createFakeMain(answers);
  return {
    ...render(
      <AppProvider client={main.client} features={features}>
        {ui}
      </AppProvider>,
    ),
    main,
    user: userEvent.setup(),
  };
}

/** Pastes rather than types or clicks: every keystroke and each event of the pointer renders the whole view. */
export async function write(user: UserEvent, where: HTMLElement, name: string, text: string): Promise<void> {
  act(() => within(where).getByRole('textbox', { name }).focus());
  await user.paste(text);
}

/** The statistics of a selection with this many failed objects. */
export function mixWithFailed(failed: number): SelectionMix {
  return {
    count: failed,
    totalBytes: 0,
    unknownLengths: 0,
    unseen: 0,
    states: failed > 0 ? [{ state: 'failed', count: failed }] : [],
    classifications: [],
    moreClassifications: 0,
    stored: null,
  };
}
