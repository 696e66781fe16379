import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { serviceId, startBench, until, type Bench, type BenchOptions } from '../transfers/bench.ts';
import { createTestLog } from '../test-ports.ts';
import type { Clock } from '../../../src/main/ports.ts';
import type { Edit } from '../../../src/shared/domain/edit.ts';
import { createEdits, type Edits } from '../../../src/main/edits/edits.ts';
import { slowMs, watchFolder, type WatchFolder } from '../../../src/main/edits/follow-file.ts';

/** Edits over the engine, real files, and the real watcher. */
export interface EditBench {
  readonly bench: Bench;
  readonly userData: string;
  edits: Edits;
  /** Paths handed to other programs, in order. */
  readonly opened: string[];
  /** Whether the desktop has a program to open a file. */
  hasProgram: boolean | Promise<boolean>;
  /** Bytes of an object in a local file; null: none. */
  local: (identifier: string) => Uint8Array | null;
  /** Folders with leftover files that the person was told about. */
  readonly left: string[];
  readonly log: { lines: string[] };
  begin(identifier: string): Promise<{ id: string; copy: string }>;
  list(): Promise<Edit[]>;
  one(): Promise<Edit | undefined>;
  /** How often each text is stored, under any identifier. */
  stored(text: string): number;
  /** All texts at the service, with duplicates. */
  texts(): string[];
  /** Resolves after a check of the only copy that began after this call: earlier changes were noticed, or are no save. */
  untilLooked(): Promise<void>;
  /** All files below the data folder, relative to it. Throws if a folder is removed meanwhile. */
  files(): Promise<string[]>;
  /** Restarts, as after a quit; `meanwhile` runs while nothing else does. */
  restart(meanwhile?: () => Promise<void>): Promise<void>;
  /** Reports that rows of the list have changed. */
  rowsChanged(): void;
  close(): Promise<void>;
}

export { serviceId, until };

export async function startEditBench(
  options: BenchOptions & { watch?: WatchFolder } = {},
): Promise<EditBench> {
  const bench = await startBench(options);
  const folder = join(bench.folder, 'user data');
  await mkdir(folder, { recursive: true });
  const opened: string[] = [];
  const left: string[] = [];
  const log = createTestLog();
  const rowListeners = new Set<(serviceId: string, revision: number) => void>();
  let revision = 0;
  let isAnswering = true;
  /** Number of completed checks of copies. */
  let looks = 0;
  const clock: Clock = {
    nowMs: () => bench.clock.nowMs(),
    monotonicMs: () => bench.clock.monotonicMs(),
    delay(delayMs, signal) {
      if (delayMs === slowMs) looks += 1;
      return bench.clock.delay(delayMs, signal);
    },
  };

  const start = () =>
    createEdits({
      userData: folder,
      repository: { get: () => ({}) as never },
      documents: bench.documents,
      catalogue: bench.catalogue,
      onRowsChanged(listener) {
        rowListeners.add(listener);
        return () => rowListeners.delete(listener);
      },
      connections: bench.connections,
      engine: bench.engine,
      desktop: {
        openFile: async (path) => {
          opened.push(path);
          return editBench.hasProgram;
        },
      },
      isApp: false,
      readLocal: async ({ identifier }) => editBench.local(identifier),
      clock,
      log,
      watchFolder: options.watch ?? watchFolder,
      onLeft: (at) => left.push(at),
      onChanged: () => (revision += 1),
      revision: () => revision,
    });

  const editBench: EditBench = {
    bench,
    userData: folder,
    edits: undefined as unknown as Edits,
    opened,
    left,
    hasProgram: true,
    local: () => null,
    log,
    async begin(identifier) {
      const row = await bench.rowOf(identifier);
      const before = opened.length;
      const { id } = await editBench.edits.handlers['edits.begin']({ objectId: row?.id ?? 0 });
      await until(() => opened.length).toBe(before + 1);
      return { id, copy: opened.at(-1) ?? '' };
    },
    list: async () => (await editBench.edits.handlers['edits.list'](undefined)).edits,
    one: async () => (await editBench.list())[0],
    stored: (text) => editBench.texts().filter((other) => other === text).length,
    texts: () => [...bench.server.objects.values()].map(({ bytes }) => Buffer.from(bytes).toString()),
    async untilLooked() {
      const before = looks;
      // The next one to complete may have begun earlier.
      await until(() => looks).toBeGreaterThan(before + 1);
    },
    async files() {
      const entries = await readdir(folder, { recursive: true, withFileTypes: true });
      const files = entries.filter((entry) => entry.isFile());
      return files.map(({ parentPath, name }) => relative(folder, join(parentPath, name)));
    },
    async restart(meanwhile) {
      await editBench.edits.close();
      await bench.engine.close();
      await meanwhile?.();
      await bench.restart();
      editBench.edits = await start();
    },
    rowsChanged() {
      for (const listener of rowListeners) listener(serviceId, 1);
    },
    async close() {
      isAnswering = false;
      await editBench.edits.close();
      await bench.close();
    },
  };
  editBench.edits = await start();
  // Answers each conflict prompt with keep both: the save is stored once either way.
  void (async () => {
    while (isAnswering) {
      await bench.clock.delay(1_000);
      const prompt = await bench.engine.conflictPrompt(null).catch(() => null);
      if (!prompt || !isAnswering) continue;
      const { transferId } = prompt;
      const answer = { transferId, answer: 'keepBoth', applyToAll: false } as const;
      await bench.engine.actions.answer(answer).catch(() => undefined);
    }
  })();
  return editBench;
}

export const textOf = (path: string) => readFile(path, 'utf8');
