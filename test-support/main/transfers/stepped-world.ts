import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { isChunkId } from '../../../src/shared/domain/made-names.ts';
import { listIn } from './list-in.ts';
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

/** Chunk size in this world. */
const chunkBytes = 2_000;
const chunk = (letter: string) => letter.repeat(chunkBytes);
/** Both files start with the same bytes, which are chunks of each. */
const oldInChunks = `${chunk('a')}${chunk('b')}c`;
const newInChunks = `${chunk('a')}${chunk('d')}${chunk('e')}f`;
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

async function lookAtRow(world: World, identifier: string, text: string): Promise<void> {
  const row = await world.rowOf(identifier);
  assert.deepEqual([row?.state, row?.lengthBytes], ['stored', text.length], identifier);
  assert.deepEqual([row?.classification, world.service.classificationOf(identifier)], ['Secret', 'Secret']);
}

/** Checks that there are chunks of exactly these letters; each chunk consists of one letter. */
function lookAtParts(world: World, letters: string): void {
  const there = besides(world).filter(isChunkId);
  const found = there.map((identifier) => textAt(world, identifier)?.[0] ?? '');
  assert.equal(found.toSorted().join(''), letters);
}

function lookBeside(world: World, text: string | null): void {
  const found = besides(world).filter((identifier) => !isChunkId(identifier));
  assert.deepEqual(
    found.map((identifier) => textAt(world, identifier)),
    text === null ? [] : [text],
  );
}

/** Checks that only the manifest of the replaced file is kept beside the object. */
function lookAtUndoManifest(world: World, text: string): void {
  const found = besides(world).filter((identifier) => !isChunkId(identifier));
  assert.match(found.join(), /^[^,]*~o-[0-9a-f]{16}$/);
  assert.equal(listIn(textAt(world, found[0]) ?? '')?.sha256, hash('sha256', text));
}

async function lookAtUndoCopies(world: World, ...texts: readonly string[]): Promise<void> {
  const kept = await world.undoCopies.ofObject(serviceId, replacedId);
  assert.equal(kept.length, texts.length);
  const lengths = kept.map(({ lengthBytes }) => lengthBytes);
  // For a file in chunks the manifest is kept, whose length does not matter.
  for (const [index, text] of texts.entries())
    if (text.length < chunkBytes) assert.equal(lengths[index], text.length);
}

export const changes: readonly Change[] = [
  {
    name: 'a new version',
    prepare: (world) => inTurn(world, store(oldText)),
    begin: store(newText, 'newVersion'),
    look: async (world) => {
      assert.deepEqual([textAt(world), textAt(world, versionId)], [oldText, newText]);
      assert.equal(textAt(world, 'a/report@3.txt'), undefined);
      await lookAtRow(world, versionId, newText);
      lookBeside(world, null);
    },
  },
  {
    name: 'a file in parts',
    begin: store(oldInChunks),
    look: async (world) => {
      await lookAtRow(world, replacedId, oldInChunks);
      lookAtParts(world, 'abc');
    },
  },
  {
    name: 'a new version of a file in parts',
    prepare: (world) => inTurn(world, store(oldInChunks)),
    begin: store(newInChunks, 'newVersion'),
    look: async (world) => {
      await lookAtRow(world, replacedId, oldInChunks);
      await lookAtRow(world, versionId, newInChunks);
      lookAtParts(world, 'aabcdef');
    },
  },
  {
    name: 'a file in parts replaces another',
    prepare: (world) => inTurn(world, store(oldInChunks)),
    begin: store(newInChunks, 'replace'),
    look: async (world) => {
      await lookAtRow(world, replacedId, newInChunks);
      await lookAtUndoCopies(world, oldInChunks);
      lookAtParts(world, 'aabcdef');
      lookAtUndoManifest(world, oldInChunks);
    },
  },
  {
    name: 'Undo',
    prepare: (world) => inTurn(world, store(oldText), store(newText, 'replace')),
    begin: (world) => world.undo(replacedId),
    look: async (world) => {
      assert.equal(textAt(world), oldText);
      await lookAtRow(world, replacedId, oldText);
      await lookAtUndoCopies(world, newText);
      lookBeside(world, null);
    },
  },
  {
    name: 'Undo of a file in parts',
    prepare: (world) => inTurn(world, store(oldInChunks), store(newInChunks, 'replace')),
    begin: (world) => world.undo(replacedId),
    look: async (world) => {
      await lookAtRow(world, replacedId, oldInChunks);
      await lookAtUndoCopies(world, newInChunks);
      lookAtParts(world, 'aabcdef');
      lookAtUndoManifest(world, newInChunks);
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
      await lookAtRow(world, replacedId, newText);
      lookBeside(world, oldText);
      await lookAtUndoCopies(world);
    },
  },
  {
    name: 'the deletion of a file in parts',
    prepare: (world) => inTurn(world, store(oldInChunks)),
    begin: (world) => world.delete(replacedId),
    look: async (world) => {
      assert.equal(textAt(world), undefined);
      assert.equal((await world.rowOf(replacedId))?.state, 'gone');
      lookAtParts(world, '');
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
