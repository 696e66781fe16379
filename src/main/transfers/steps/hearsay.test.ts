import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { sha256Of } from '../../../../test-support/main/local-files/testing.ts';
import { serviceId, startBench, type Bench } from '../../../../test-support/main/transfers/bench.ts';

/** The digest of an imported list is somebody's word: it proves nothing about what is stored. */

let bench: Bench;
beforeEach(async () => {
  bench = await startBench();
});
afterEach(() => bench.close());

const [mine, theirs] = ['what I have', 'what is not'];
const digestOf = (text: string) => sha256Of(Buffer.from(text));

/** Stores this under `up/a`; an imported list says what it is. */
function claim(stored: string, claimed: string): Promise<number> {
  const sha256 = digestOf(claimed);
  return bench.store('up/a', stored, { lengthBytes: claimed.length, sha256, isDigestClaimed: true });
}

test('an upload does not vanish because a list claims that its bytes are there', async () => {
  await claim(theirs, mine);
  await bench.upload([await bench.makeFile('a', mine)]);
  expect(await bench.settled()).toMatchObject([{ waitingFor: 'answer' }]);
});

test('a new version is stored although a list claims that it is there', async () => {
  await claim(theirs, mine);
  await bench.upload([await bench.makeFile('a', mine, { ifExists: 'newVersion' })]);
  expect(await bench.settled()).toMatchObject([{ state: 'done', identifier: 'up/a@2' }]);
  expect(bench.server.objects.get('up/a@2')?.bytes.toString()).toBe(mine);
});

test('what a list claims rightly is compared with what is stored', async () => {
  await claim(mine, mine);
  await bench.upload([await bench.makeFile('a', mine)]);
  expect(await bench.settled()).toMatchObject([
    { state: 'done', outcome: { kind: 'skipped', isIdentical: true } },
  ]);
  expect(bench.server.requests.filter(({ method }) => method === 'GET')).toHaveLength(1);
});

test('a download that differs from the claim says whose word it was; a new try takes what is stored', async () => {
  const id = await claim(theirs, mine);
  await bench.download([id]);
  const [failed] = await bench.settled();
  expect(failed).toMatchObject({ state: 'failed', error: { code: 'claimedDigestDiffers' } });
  await bench.engine.actions.retry({ kind: 'ids', ids: [failed?.id ?? 0] });
  expect(await bench.settled()).toMatchObject([{ state: 'done', outcome: { verifiedBy: 'length' } }]);
  expect(await readFile(join(bench.downloads, 'a'), 'utf8')).toBe(theirs);
  const row = await bench.rowOf('up/a');
  expect(row).toMatchObject({ state: 'stored', sha256: digestOf(theirs) });
  expect(row).not.toHaveProperty('isDigestClaimed');
});

test.each(['a download', 'an upload'])('%s of our own ends the claim', async (what) => {
  const id = await claim(mine, mine);
  if (what === 'a download') await bench.download([id]);
  else await bench.upload([await bench.makeFile('a', theirs, { ifExists: 'replace' })]);
  expect(await bench.settled()).toMatchObject([{ state: 'done' }]);
  const row = await bench.rowOf('up/a');
  expect(row).toMatchObject({ state: 'stored', sha256: digestOf(what === 'a download' ? mine : theirs) });
  expect(row).not.toHaveProperty('isDigestClaimed');
});

test('the classification of what a list claims wrongly can be changed', async () => {
  const id = await claim(theirs, mine);
  await bench.engine.enqueue.reclassify(serviceId, [id], 'Secret');
  expect(await bench.settled()).toMatchObject([{ state: 'done' }]);
  expect(bench.server.objects.get('up/a')).toMatchObject({ classification: 'Secret' });
  expect(await bench.rowOf('up/a')).toMatchObject({ sha256: digestOf(theirs) });
});
