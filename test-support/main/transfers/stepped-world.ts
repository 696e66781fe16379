import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { isPartId } from '../../../src/shared/domain/made-names.ts';
import { manifestIn } from './manifest-in.ts';
import { besides, newText, oldText, replacedId, textAt, untilOver } from './replace-world.ts';
import { serviceId } from './world-acts.ts';
import { World } from './world.ts';

/** A change of an object that can be killed at each of its steps: requests, durable writes and changes of undo copies. */
export interface Change {
  readonly name: string;
  /** Sets up the initial state. */
  readonly prepare?: (world: World) => Promise<void>;
  readonly begin: (world: World) => Promise<void>;
  /** Checks the final state, wherever it was killed. */
  readonly look: (world: World) => Promise<void>;
}

/** Part size in this world. */
const partBytes = 2_000;
const part = (letter: string) => letter.repeat(partBytes);
/** Both files start with the same bytes, which are parts of each. */
const oldInParts = `${part('a')}${part('b')}c`;
const newInParts = `${part('a')}${part('d')}${part('e')}f`;
const versionId = 'a/report@2.txt';

/** The first version is stored as Secret; the later ones keep that classification. */
const store =
  (text: string, ifExists: 'ask' | 'replace' | 'newVersion' = 'ask') =>
  (world: World) =>
    world.upload(replacedId, { text, ifExists, ...(ifExists === 'ask' && { classification: 'Secret' }) });

async function inTurn(world: World, ...acts: readonly ((world: World) => Promise<void>)[]): Promise<void> {
  for (const act of acts) {
    await act(world);
    await untilOver(world);
  }
}

async function checkRow(world: World, identifier: string, text: string): Promise<void> {
  const row = await world.rowOf(identifier);
  assert.deepEqual([row?.state, row?.lengthBytes], ['stored', text.length], identifier);
  assert.deepEqual([row?.classification, world.service.classificationOf(identifier)], ['Secret', 'Secret']);
}

/** Checks that there are parts of exactly these letters; each part consists of one letter. */
function checkParts(world: World, letters: string): void {
  const there = besides(world).filter(isPartId);
  const found = there.map((identifier) => textAt(world, identifier)?.[0] ?? '');
  assert.equal(found.toSorted().join(''), letters);
}

function checkBeside(world: World, text: string | null): void {
  const found = besides(world).filter((identifier) => !isPartId(identifier));
  assert.deepEqual(
    found.map((identifier) => textAt(world, identifier)),
    text === null ? [] : [text],
  );
}

/** Checks that only the manifest of the replaced file is kept beside the object. */
function checkUndoManifest(world: World, text: string): void {
  const found = besides(world).filter((identifier) => !isPartId(identifier));
  assert.match(found.join(), /^[^,]*~o-[0-9a-f]{16}$/);
  assert.equal(manifestIn(textAt(world, found[0]) ?? '')?.sha256, hash('sha256', text));
}

async function checkUndoCopies(world: World, ...texts: readonly string[]): Promise<void> {
  const kept = await world.undoCopies.ofObject(serviceId, replacedId);
  assert.equal(kept.length, texts.length);
  const lengths = kept.map(({ lengthBytes }) => lengthBytes);
  // For a file in parts the manifest is kept, whose length does not matter.
  for (const [index, text] of texts.entries())
    if (text.length < partBytes) assert.equal(lengths[index], text.length);
}

export const changes: readonly Change[] = [
  {
    name: 'a new version',
    prepare: (world) => inTurn(world, store(oldText)),
    begin: store(newText, 'newVersion'),
    look: async (world) => {
      assert.deepEqual([textAt(world), textAt(world, versionId)], [oldText, newText]);
      assert.equal(textAt(world, 'a/report@3.txt'), undefined);
      await checkRow(world, versionId, newText);
      checkBeside(world, null);
    },
  },
  {
    name: 'a file in parts',
    begin: store(oldInParts),
    look: async (world) => {
      await checkRow(world, replacedId, oldInParts);
      checkParts(world, 'abc');
    },
  },
  {
    name: 'a new version of a file in parts',
    prepare: (world) => inTurn(world, store(oldInParts)),
    begin: store(newInParts, 'newVersion'),
    look: async (world) => {
      await checkRow(world, replacedId, oldInParts);
      await checkRow(world, versionId, newInParts);
      checkParts(world, 'aabcdef');
    },
  },
  {
    name: 'a file in parts replaces another',
    prepare: (world) => inTurn(world, store(oldInParts)),
    begin: store(newInParts, 'replace'),
    look: async (world) => {
      await checkRow(world, replacedId, newInParts);
      await checkUndoCopies(world, oldInParts);
      checkParts(world, 'aabcdef');
      checkUndoManifest(world, oldInParts);
    },
  },
  {
    name: 'Undo',
    prepare: (world) => inTurn(world, store(oldText), store(newText, 'replace')),
    begin: (world) => world.undo(replacedId),
    look: async (world) => {
      assert.equal(textAt(world), oldText);
      await checkRow(world, replacedId, oldText);
      await checkUndoCopies(world, newText);
      checkBeside(world, null);
    },
  },
  {
    name: 'Undo of a file in parts',
    prepare: (world) => inTurn(world, store(oldInParts), store(newInParts, 'replace')),
    begin: (world) => world.undo(replacedId),
    look: async (world) => {
      await checkRow(world, replacedId, oldInParts);
      await checkUndoCopies(world, newInParts);
      checkParts(world, 'aabcdef');
      checkUndoManifest(world, newInParts);
    },
  },
  {
    name: 'a Replace that keeps the old one on the service',
    prepare: async (world) => {
      await inTurn(world, store(oldText));
      world.freeBytes = 1_000;
      await inTurn(world, store(newText, 'replace'));
    },
    begin: async (world) => {
      const failed = (await world.transfers()).find(({ state }) => state === 'failed');
      await world.keepOnService(failed?.id ?? 0);
    },
    look: async (world) => {
      assert.equal(textAt(world), newText);
      await checkRow(world, replacedId, newText);
      checkBeside(world, oldText);
      await checkUndoCopies(world);
    },
  },
  {
    name: 'the deletion of a file in parts',
    prepare: (world) => inTurn(world, store(oldInParts)),
    begin: (world) => world.delete(replacedId),
    look: async (world) => {
      assert.equal(textAt(world), undefined);
      assert.equal((await world.rowOf(replacedId))?.state, 'gone');
      checkParts(world, '');
    },
  },
];

/** Runs a change to its end, killed at this step. Returns how many steps it took. */
export async function runStepped(change: Change, stopsAt: number | null): Promise<number> {
  const world = await World.begin();
  try {
    world.service.deletionMs = 1_500;
    await change.prepare?.(world);
    await change.begin(world);
    const first = world.steps;
    world.stopsAt = stopsAt === null ? null : first + stopsAt;
    await untilOver(world);
    world.stopsAt = null;
    const steps = world.steps - first;
    // Time for the orphan collector.
    await world.clock.advance(1_200_000);
    await world.look();
    const unfinished = (await world.transfers()).filter(({ state }) => state !== 'done');
    assert.deepEqual(
      unfinished.map(({ identifier, state, error }) => ({ identifier, state, error })),
      [],
    );
    await change.look(world);
    return steps;
  } finally {
    await world.leave();
  }
}
