import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { isPartId } from '../../../src/shared/domain/made-names.ts';
import type { TransferRecord } from '../../../src/main/transfers/model/record.ts';
import { openLocalDatabase } from '../database/local-database.ts';
import type { Upstairs } from './installation.ts';
import { manifestIn } from './manifest-in.ts';
import { checkService, historyOf, isWhatLies } from './service-checks.ts';
import { leastAnswerMs } from './service-limit.ts';
import { createVirtualClock } from './virtual-clock.ts';
import { serviceId, WorldActs } from './world-acts.ts';

/** Excludes transfers that make a version current: their number depends on when the process was killed. */
function isAsked({ work }: TransferRecord): boolean {
  if (work.kind === 'download') return work.copyFor !== 'version';
  return work.kind !== 'upload' || !work.path.includes('/versions/');
}

/** The engine over a simulated service in virtual time. Checks all invariants throughout. */
export class World extends WorldActs {
  static async begin(upstairs?: Upstairs): Promise<World> {
    const folder = await mkdtemp(join(tmpdir(), 'coffer-world-'));
    await mkdir(join(folder, 'downloads'));
    const clock = createVirtualClock();
    const db = new DatabaseSync(':memory:');
    const database = await openLocalDatabase(db, clock.nowMs);
    await database.documents.put('services', serviceId, { id: serviceId, baseAddress: 'https://one' });
    const world = new World(folder, db, database, clock, upstairs);
    await world.start();
    return world;
  }

  /** Checks the invariants that hold at any time. */
  async look(): Promise<void> {
    assert.deepEqual(this.problems, []);
    for (const service of this.services) {
      const { maxBodies } = service;
      // One manifest may be read in addition to the files.
      assert.ok(maxBodies <= this.settings.transfersAtOnce + 1, `${maxBodies} files at once`);
      checkService(service, this.meant);
    }
    this.#checkFiles();
    await this.#lookAtList();
  }

  /** Promise 2: a published file holds the complete content of its identifier. */
  #checkFiles(): void {
    const folder = join(this.folder, 'downloads');
    for (const name of readdirSync(folder)) {
      if (name.endsWith('.part')) continue;
      const text = readFileSync(join(folder, name), 'utf8');
      const base = name.replace(/ \(\d+\)$/, '');
      const all = this.services
        .flatMap(({ versions }) => [...versions])
        .filter(([identifier]) => identifier.split('/').at(-1) === base);
      assert.ok(
        all.some(([, versions]) => versions.some((version) => isWhatLies(version.text, text))),
        `${name} holds what was never stored under its name: ${text}`,
      );
    }
  }

  /** Promise 2: what is reported as done is done. */
  async #lookAtList(): Promise<void> {
    const rows = [...(await this.transfers()), ...(await this.jobs()).filter(({ kind }) => kind === 'data')];
    for (const { state, direction, identifier, outcome } of rows) {
      if (state !== 'done' || outcome?.kind !== 'stored') continue;
      assert.equal(direction, 'upload');
      const versions = this.services.flatMap((service) => service.versions.get(identifier) ?? []);
      assert.ok(
        // A matching digest proves that a stranger's version has the same content.
        versions.some(({ by }) => by === 'us' || outcome.verifiedBy === 'digest'),
        `${identifier} is said to be stored, and never was`,
      );
    }
  }

  /** Ends all faults except the limit of the service, and checks that everything finishes and nothing was forgotten. */
  async end(): Promise<void> {
    this.setWeather({ kind: 'fine' });
    this.service.answerMs = leastAnswerMs(this.service.limit);
    await this.settle(this.engine.actions.pause('all', false));
    await this.finish();
    assert.equal(await this.unfinished(), 0, `not everything came to its end: ${await this.describeOpen()}`);
    await this.look();
    const listed = [...(await this.transfers()), ...(await this.jobs())].map(({ id }) => id);
    const records = await this.database.transfers.getMany(listed);
    const words = this.meant.words.filter(({ kind }) => kind !== 'delete' && kind !== 'readSecret').length;
    assert.equal(records.filter(isAsked).length, words, 'something was forgotten');
    await this.#checkRows();
    await this.#finishTidying();
    const left = readdirSync(join(this.folder, 'downloads')).filter((name) => name.endsWith('.part'));
    // Deferred uploads, too, may have left complete parts.
    const failed = [...(await this.transfers()), ...(await this.jobs())].filter(
      ({ direction, state }) => direction === 'download' && state === 'failed',
    );
    assert.ok(left.length <= failed.length, `${left.join()} are left behind`);
  }

  /**
   * In the end every part of ours is named by a manifest, except those of uploads that may be retried, and those whose manifest a
   * stranger has deleted.
   */
  async #finishTidying(): Promise<void> {
    // Clearing the undo copies also deletes the parts they name.
    await this.settle(this.undoCopies.clear());
    await this.clock.advance(120_000);
    for (let rounds = 0; rounds < 30 && (await this.#areOrphansOpen()); rounds += 1) {
      const uploads = this.engine.orphans.left(serviceId).map(({ upload }) => upload);
      await this.settle(this.engine.orphans.removeLeft(serviceId, uploads));
      await this.clock.advance(120_000);
    }
    assert.ok(!(await this.#areOrphansOpen()), 'orphaned parts are not removed');
    const named = new Set<string>();
    for (const stored of this.service.versions.values()) {
      for (const { text, untilMs, removedBy } of stored) {
        const isOut = untilMs !== Infinity && removedBy === 'us';
        if (!isOut) for (const { id } of manifestIn(text)?.parts ?? []) named.add(id);
      }
    }
    const failed = [...(await this.transfers()), ...(await this.jobs())].filter(
      ({ direction, state }) => direction === 'upload' && (state === 'failed' || state === 'lost'),
    );
    for (const { value } of await this.database.documents.list('chunkPlans')) {
      const { transferId, text } = value as { transferId: number; text: string };
      if (failed.some((transfer) => transfer.id === transferId))
        for (const { id } of (JSON.parse(text) as { parts: { id: string }[] }).parts) named.add(id);
    }
    // A failed Undo may be retried: what it restores stays.
    const records = await this.database.transfers.getMany(failed.map((transfer) => transfer.id));
    const restored = records.flatMap(({ work }) =>
      work.kind === 'upload' && work.kept ? work.kept.file : [],
    );
    for (const { value } of await this.database.documents.list('undoManifests')) {
      const { file, text } = value as { file: string; text: string };
      if (restored.includes(file)) for (const { id } of manifestIn(text)?.parts ?? []) named.add(id);
    }
    for (const [id, stored] of this.service.versions)
      assert.ok(
        !isPartId(id) || stored.at(-1)?.untilMs !== Infinity || named.has(id),
        `${id} is there, and nobody knows of it: ${historyOf(this.service, id)}`,
      );
  }

  /** Orphans at an earlier address wait until the service is back there. */
  async #areOrphansOpen(): Promise<boolean> {
    const orphaned = await this.database.documents.list('orphans');
    return orphaned.some(({ value }) => (value as { origin: string }).origin === this.service.origin);
  }

  /** Manifests beside their objects, kept by a Replace as undo copies. */
  async #undoManifestNames(): Promise<Set<string>> {
    const [kept, orphaned] = await Promise.all(
      ['undoManifests', 'orphans'].map((name) => this.database.documents.list(name)),
    );
    return new Set([
      ...(kept ?? []).map(({ value }) => (value as { beside: string }).beside),
      ...(orphaned ?? []).map(({ value }) => (value as { list: string }).list),
    ]);
  }

  /** Promise 3: everything of ours that is stored is on the list, and nothing deleted is listed as stored. */
  async #checkRows(): Promise<void> {
    const besides = await this.#undoManifestNames();
    for (const [identifier, versions] of this.service.versions) {
      const last = versions.at(-1);
      // Parts are not on the list.
      if (last?.by !== 'us' || isPartId(identifier) || besides.has(identifier)) continue;
      // A Replace that failed half-way has recorded its copies there.
      if (this.watch.describe().some((body) => body.includes(`"${identifier}"`))) continue;
      const row = await this.rowOf(identifier);
      if (last.untilMs === Infinity) {
        assert.ok(row, `${identifier} is stored by us, and the list has forgotten it`);
        const is = JSON.stringify(row.state);
        const isUnheard = row.state === 'gone' && this.service.unheard.has(identifier);
        assert.ok(
          ['stored', 'unknown', 'deleting'].includes(row.state) || isUnheard,
          `${identifier} is stored, and the list says ${is}`,
        );
        // If the same bytes were requested with two classifications, it is unknown which upload arrived; and an object that was never
        // known to be stored by us, is not known by its digest, or was stored before the service moved may have any.
        const isSure = this.meant.textsAt(this.service.origin).get(last.text)?.size === 1 && !this.hasMoved;
        if (row.state === 'stored' && row.storedAtMs !== null && row.sha256 !== null && isSure)
          assert.equal(row.classification, last.classification, `the list's classification of ${identifier}`);
      } else if (row) {
        const isOurWord = last.removedBy === 'us';
        if (isOurWord)
          assert.notEqual(row.state, 'stored', `${identifier} was deleted, and the list says stored`);
      }
    }
    for (const { state, identifier } of await this.database.allRows()) {
      assert.ok(state !== 'uploading' && state !== 'deleting', `${identifier} is ${state} for ever`);
    }
  }

  async leave(): Promise<void> {
    await this.close();
    await Promise.all(this.reads);
    await rm(this.folder, { recursive: true, force: true });
  }
}
