import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { isPartId } from '../../../src/shared/domain/made-names.ts';
import { versionMarkDefault } from '../../../src/shared/domain/service.ts';
import { versionIdentifier, versionOf } from '../../../src/shared/domain/versions.ts';
import { manifestIn } from './manifest-in.ts';
import { notChosen, type Meant } from './meant.ts';
import type { SimulatedService } from './simulated-service.ts';

/** Checks the invariants of the service's history and objects that hold at any time. */
export function checkService(service: SimulatedService, meant: Meant): void {
  checkOrigin(service, meant);
  checkDeletions(service, meant);
  checkVersions(service);
  checkParts(service);
  checkClassifications(service, meant);
}

/** Promise 4: no request and no token goes to an address other than the one it was meant for. */
function checkOrigin({ requests, versions, origin: here, token: own }: SimulatedService, meant: Meant): void {
  for (const { origin, token } of requests) assert.equal(`${origin} ${token}`, `${here} ${own}`);
  for (const [identifier, stored] of versions)
    // The copy of a stranger's version that a Replace keeps beside the object.
    for (const { by, text } of stored)
      assert.ok(
        by !== 'us' ||
          identifier.includes('~o-') ||
          meant.storedAgain(here, identifier) !== undefined ||
          matches(meant, here, identifier, text),
        `${text} was not meant for ${here}`,
      );
}

/** Whether the text is a file that may be stored, its manifest, or one of its parts. */
function matches(meant: Meant, here: string, identifier: string, text: string): boolean {
  const texts = meant.textsAt(here);
  if (texts.has(text)) return true;
  if (isPartId(identifier)) return [...texts.keys()].some((each) => each.includes(text));
  const list = manifestIn(text);
  return [...texts.keys()].some((each) => createHash('sha256').update(each).digest('hex') === list?.sha256);
}

/**
 * A manifest that we stored never exists without all its parts, unless a stranger deletes some; and the name of a part holds
 * that part.
 */
function checkParts(service: SimulatedService): void {
  service.settle();
  for (const [identifier, stored] of service.versions) {
    const last = stored.at(-1);
    if (last?.untilMs !== Infinity) continue;
    for (const { id, sha256 } of manifestIn(last.text)?.parts ?? []) {
      const part = service.get(id);
      assert.ok(part, `${identifier} is there, and its part ${id} is not`);
      assert.equal(createHash('sha256').update(part).digest('hex'), sha256);
    }
  }
}

/**
 * Everything that we stored has the classification chosen for it, or that of the version it replaces or follows; so have all parts
 * of a file. A restored version of a stranger may have any, since its own is unknown.
 */
function checkClassifications(service: SimulatedService, meant: Meant): void {
  const { versions } = service;
  const theirs = new Set(
    [...versions.values()].flat().flatMap(({ by, text }) => (by === 'us' ? [] : [text])),
  );
  for (const [identifier, stored] of versions) {
    const last = stored.at(-1);
    if (last?.by !== 'us' || last.untilMs !== Infinity || isPartId(identifier)) continue;
    if (identifier.includes('~o-')) continue;
    const list = manifestIn(last.text);
    for (const { id } of list ? [{ id: identifier }, ...list.parts] : [])
      assert.equal(service.classificationOf(id), list?.classification, `the classification of ${id}`);
    assert.ok(
      theirs.has(last.text) || mayHave(service, meant, identifier),
      `nobody asked for ${identifier} to be ${last.classification}: ${historyOf(service, identifier)}`,
    );
  }
}

/** Whether the stored version may have the classification that it has. */
function mayHave(service: SimulatedService, meant: Meant, identifier: string): boolean {
  const { origin, versions } = service;
  const last = versions.get(identifier)?.at(-1);
  if (last === undefined) return false;
  const { text, classification: is } = last;
  if (meant.storedAgain(origin, identifier)?.has(is)) return true;
  const asked = [...meant.textsAt(origin)].flatMap(([wanted, classifications]) =>
    isWhatLies(text, wanted) ? [...classifications] : [],
  );
  if (asked.includes(is)) return true;
  if (!asked.includes(notChosen)) return false;
  const { base } = versionOf(identifier.replace(/~r-[0-9a-f]+$/, ''), '/', versionMarkDefault);
  const family = [...versions].flatMap(([each, stored]) =>
    versionOf(each, '/', versionMarkDefault).base === base ? stored : [],
  );
  // null stands for the default only if nothing was known to be stored there.
  if (is !== null) return family.some(({ classification }) => classification === is);
  // The limit in docs/transfers.md, What proves that an upload was stored.
  if ([...service.denied].some((each) => versionOf(each, '/', versionMarkDefault).base === base)) return true;
  return knownBefore(service, meant, identifier) === null;
}

/** The classification, as the list must know it, of the version that the current one replaced or follows. */
function knownBefore(
  { versions, requests }: SimulatedService,
  meant: Meant,
  identifier: string,
): string | null {
  const stored = versions.get(identifier) ?? [];
  const { base, number } = versionOf(identifier, '/', versionMarkDefault);
  const replaced = stored.at(-2);
  // Decided after the last look at it and before its bytes were sent, which may be long before a deferred upload is stored.
  const own = requests.filter((request) => request.identifier === identifier);
  const sent = own.findLastIndex(({ what }) => what === 'POST' || what === 'start');
  const decidedMs = own.slice(0, sent).findLast(({ what }) => what === 'HEAD')?.atMs ?? 0;
  const isDeleted = meant.words.some((word) => word.kind === 'delete' && word.identifier === identifier);
  if (replaced) {
    const isOurs = stored.every(({ by, removedBy }) => by === 'us' && removedBy !== 'stranger');
    return isOurs && !isDeleted && replaced.fromMs < decidedMs ? replaced.classification : null;
  }
  const ofBefore = versions.get(versionIdentifier(base, '/', versionMarkDefault, number - 1)) ?? [];
  const before = ofBefore.at(-1);
  // What a Replace has stored is on the list once it has looked again, a minute later.
  const listedAfterMs = ofBefore.length > 1 ? 60_000 : 0;
  const isKnown =
    before?.by === 'us' && before.untilMs === Infinity && before.fromMs + listedAfterMs < decidedMs;
  return isKnown && number > 1 ? before.classification : null;
}

/** Promise 3: a DELETE is carried out at most once for each request of a person, and at the address of that time. */
function checkDeletions({ deletions, origin }: SimulatedService, meant: Meant): void {
  const blind = deletions.filter(({ identifier, isSeen }) => !isSeen && !identifier.includes('~'));
  const counts = Map.groupBy(blind, ({ identifier }) => identifier);
  for (const [identifier, { length: carriedOut }] of counts) {
    const words = meant.words.filter(
      (word) => word.kind === 'delete' && word.identifier === identifier && word.origin === origin,
    ).length;
    assert.ok(carriedOut <= words, `${carriedOut} deletions of ${identifier} for ${words} words`);
  }
}

/** A version is stored only after its predecessor. */
function checkVersions({ versions }: SimulatedService): void {
  for (const [identifier, stored] of versions) {
    const { base, number } = versionOf(identifier, '/', versionMarkDefault);
    if (number === 1 || identifier.includes('~') || !stored.some(({ by }) => by === 'us')) continue;
    const before = versionIdentifier(base, '/', versionMarkDefault, number - 1);
    assert.ok(versions.has(before), `${identifier} was stored, and ${before} never was`);
  }
}

/** Whether the stored text is the file itself or its manifest. */
export function isWhatLies(lies: string, text: string): boolean {
  if (lies === text) return true;
  const again = manifestIn(text)?.sha256;
  return manifestIn(lies)?.sha256 === (again ?? createHash('sha256').update(text).digest('hex'));
}

/** The history of an identifier, for failure messages. */
export function historyOf({ requests }: SimulatedService, id: string): string {
  const own = requests.filter(({ identifier }) => identifier === id || id.startsWith(`${identifier}~p-`));
  return own.map(({ atMs, what, identifier }) => `${Math.round(atMs)} ${what} ${identifier}`).join(', ');
}
