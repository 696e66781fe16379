import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { factBits, unverifiedFacts } from '../../../shared/domain/unverified.ts';
import { sha256Of } from '../../../../test-support/main/local-files/testing.ts';
import { serviceId, startBench, type Bench } from '../../../../test-support/main/transfers/bench.ts';

/**
 * What an imported list says are claims: they prove nothing about what is stored. Section 8 of the design of the
 * team's list has a table of the places where that matters. Each row is tested here; what the window says and asks is
 * tested too (`hearsay-secrets.test.ts`, `new-secret.test.tsx`, `ObjectsView.test.tsx`, `DetailsTab.test.tsx`).
 */

let bench: Bench;
beforeEach(async () => {
  bench = await startBench();
});
afterEach(() => bench.close());

const [mine, theirs] = ['what I have', 'what is not'];
const digestOf = (text: string) => sha256Of(Buffer.from(text));
const everything = factBits.digest | factBits.length | factBits.presence;

/** Stores this under `up/a`; an imported list says what it is. */
function claim(stored: string, unverified: string, identifier = 'up/a'): Promise<number> {
  const sha256 = digestOf(unverified);
  return bench.store(identifier, stored, { lengthBytes: unverified.length, sha256, unverified: everything });
}

async function wordsOf(identifier = 'up/a') {
  return unverifiedFacts((await bench.rowOf(identifier)) ?? {});
}

const fetches = () => bench.server.requests.filter(({ method }) => method === 'GET').length;

describe('an upload is not skipped because an imported list claims that its bytes are there', () => {
  test('Skip identical compares and prompts', async () => {
    await claim(theirs, mine);
    await bench.upload([await bench.makeFile('a', mine)]);
    expect(await bench.settled()).toMatchObject([{ waitingFor: 'answer' }]);
    expect(fetches()).toBe(1);
  });

  test('Skip leaves the object, and only the digest remains a claim', async () => {
    await claim(theirs, mine);
    await bench.upload([await bench.makeFile('a', mine, { ifExists: 'skip' })]);
    expect(await bench.settled()).toMatchObject([{ state: 'done', outcome: { kind: 'skipped' } }]);
    expect(await wordsOf()).toEqual(['digest']);
  });

  test('New version stores it', async () => {
    await claim(theirs, mine);
    await bench.upload([await bench.makeFile('a', mine, { ifExists: 'newVersion' })]);
    expect(await bench.settled()).toMatchObject([{ state: 'done', identifier: 'up/a@2' }]);
    expect(bench.server.objects.get('up/a@2')?.bytes.toString()).toBe(mine);
  });

  test('Replace stores it', async () => {
    await claim(theirs, theirs);
    await bench.upload([await bench.makeFile('a', mine, { ifExists: 'replace' })]);
    expect(await bench.settled()).toMatchObject([{ state: 'done', outcome: { kind: 'stored' } }]);
    expect(await wordsOf()).toEqual([]);
  });

  test('nor because the list claims that it is in parts', async () => {
    await bench.store('up/a', theirs, {
      lengthBytes: mine.length,
      sha256: digestOf(mine),
      parts: { count: 2, manifestBytes: theirs.length, manifestSha256: digestOf(theirs) },
      unverified: everything,
    });
    await bench.upload([await bench.makeFile('a', mine)]);
    expect(await bench.settled()).toMatchObject([{ waitingFor: 'answer' }]);
  });
});

describe('a true claim is confirmed by comparing it with what is stored', () => {
  const identical = { state: 'done', outcome: { kind: 'skipped', isIdentical: true } };

  test('by Skip identical', async () => {
    await claim(mine, mine);
    await bench.upload([await bench.makeFile('a', mine)]);
    expect(await bench.settled()).toMatchObject([identical]);
    expect(await wordsOf()).toEqual([]);
    // No longer a claim: nothing is fetched again.
    await bench.upload([await bench.makeFile('b', mine, { identifier: 'up/a' })]);
    expect(await bench.settled()).toMatchObject([identical, identical]);
    expect(fetches()).toBe(1);
  });

  test('by New version, for the newest version', async () => {
    await claim(theirs, theirs);
    await claim(mine, mine, 'up/a@2');
    await bench.upload([await bench.makeFile('a', mine, { ifExists: 'newVersion' })]);
    expect(await bench.settled()).toMatchObject([
      { state: 'done', outcome: { isIdentical: true, sameAs: { identifier: 'up/a@2' } } },
    ]);
    expect(await wordsOf('up/a@2')).toEqual([]);
  });

  test('by Replace', async () => {
    await claim(mine, mine);
    await bench.upload([await bench.makeFile('a', mine, { ifExists: 'replace' })]);
    expect(await bench.settled()).toMatchObject([identical]);
    expect(await wordsOf()).toEqual([]);
  });

  test('by New version, which corrects a wrong digest', async () => {
    await claim(mine, theirs);
    await bench.upload([await bench.makeFile('a', mine, { ifExists: 'newVersion' })]);
    expect(await bench.settled()).toMatchObject([identical]);
    expect(await bench.rowOf('up/a')).toMatchObject({ sha256: digestOf(mine) });
    expect(await wordsOf()).toEqual([]);
  });
});

describe('a download that differs from a claim says so, and accepts the stored bytes when told to', () => {
  test.each([
    ['digest', theirs, 'claimedDigestDiffers'],
    ['length', `${theirs}, longer`, 'claimedLengthDiffers'],
    ['shorter length', '-', 'claimedLengthDiffers'],
  ] as const)('from the %s', async (_, unverified, code) => {
    const id = await claim(mine, unverified);
    await bench.download([id]);
    const [failed] = await bench.settled();
    expect(failed).toMatchObject({ state: 'failed', error: { code } });
    // Retrying everything does not mean that the person has read this transfer's error.
    await bench.engine.actions.retry({ kind: 'all' });
    expect(await bench.settled()).toMatchObject([{ state: 'failed', error: { code } }]);
    await bench.engine.actions.retry({ kind: 'ids', ids: [failed?.id ?? 0] }, true);
    expect(await bench.settled()).toMatchObject([{ state: 'done', outcome: { verifiedBy: 'length' } }]);
    expect(await readFile(join(bench.downloads, 'a'), 'utf8')).toBe(mine);
    expect(await bench.rowOf('up/a')).toMatchObject({
      state: 'stored',
      lengthBytes: mine.length,
      sha256: digestOf(mine),
    });
    expect(await wordsOf()).toEqual([]);
  });

  test('does not report a digest that was seen here as a claim', async () => {
    const id = await bench.store('up/a', mine, { sha256: digestOf(theirs), unverified: factBits.presence });
    await bench.download([id]);
    expect(await bench.settled()).toMatchObject([{ state: 'failed', error: { code: 'digestDiffers' } }]);
  });
});

test.each(['a download', 'an upload'])('%s of our own ends every claim', async (what) => {
  const id = await claim(mine, mine);
  if (what === 'a download') await bench.download([id]);
  else await bench.upload([await bench.makeFile('a', theirs, { ifExists: 'replace' })]);
  expect(await bench.settled()).toMatchObject([{ state: 'done' }]);
  const row = await bench.rowOf('up/a');
  expect(row).toMatchObject({ state: 'stored', sha256: digestOf(what === 'a download' ? mine : theirs) });
  expect(await wordsOf()).toEqual([]);
});

test('a download that finds nothing confirms a claimed deletion', async () => {
  const id = await bench.store('up/a', mine, { state: 'gone', checkedAtMs: 5, unverified: everything });
  bench.server.objects.delete('up/a');
  await bench.download([id]);
  expect(await bench.settled()).toMatchObject([{ state: 'failed', error: { code: 'missing' } }]);
  expect(await bench.rowOf('up/a')).toMatchObject({ state: 'gone' });
  expect(await wordsOf()).toEqual(['length', 'digest']);
});

test('Replace prompts if the stored object differs from a claimed digest', async () => {
  await claim(theirs, mine);
  await bench.upload([await bench.makeFile('a', 'newer', { ifExists: 'replace' })]);
  expect(await bench.settled()).toMatchObject([{ waitingFor: 'answer' }]);
  expect(bench.server.objects.get('up/a')?.bytes.toString()).toBe(theirs);
});

test('reclassifies an object although the list claims a wrong digest', async () => {
  const id = await claim(theirs, mine);
  await bench.engine.enqueue.reclassify(serviceId, [id], 'Secret');
  expect(await bench.settled()).toMatchObject([{ state: 'done' }]);
  expect(bench.server.objects.get('up/a')).toMatchObject({ classification: 'Secret' });
  expect(await bench.rowOf('up/a')).toMatchObject({ sha256: digestOf(theirs) });
});
