import { versionIdentifier, versionOf } from '../../../shared/domain/versions.ts';
import { AppFailure } from '../../../shared/app-failure.ts';
import type { StepContext } from '../parts/step-context.ts';
import { classificationOver } from './inherited-classification.ts';
import { findNewest, nextListed, numbersToTry } from '../queue/newest-version.ts';
import type { Seen, State } from '../model/state.ts';
import type { DeferredContext, Step } from './step.ts';
import { workOf, type Next } from '../model/next.ts';
import { confirm, sameThere } from './verify.ts';
import { endRefused, skipped } from './conflict.ts';
import { maxTakenNames } from '../model/work.ts';
import { concludeOwn, handlePresent, mayBeOurs } from './upload.ts';
import { otherUploadDelayMs, refusedNumberMs } from '../model/failure-policy.ts';

/** Give up after this many numbers that are taken by secrets of ours. */
const maxTaken = 100;

/**
 * Takes the number after the newest version that the service shows, so that none before it is missing. Between two
 * uploads of ours the row of the list decides; between two computers the POST does (409), after which the loser takes
 * the next number.
 */
export const takeNumber: Step<'numbering'> = async (context, state) => {
  const { record, list, rules } = context;
  const { serviceId, identifier } = record;
  const { separator, versionMark } = rules;
  const work = workOf(context, 'upload');
  if (work.mayBeThere) {
    const seen = await context.service.head(identifier);
    if (seen.present) return handlePresent(context, seen);
  }
  const { awaits } = state;
  if (awaits !== null) {
    // Refused, and shown only now: our request may have stored it all the same.
    const seen = await context.service.head(identifier);
    const ours = seen.present ? await concludeOwn(mayBeOurs(context), seen) : null;
    if (ours) return ours;
  }
  const own = versionOf(identifier, separator, versionMark);
  const nameOf = (number: number) => versionIdentifier(own.base, separator, versionMark, number);
  const find = () => list.versions(serviceId, record.kind, own.base, { separator, versionMark });
  const listed = await find();
  const known = [own.number, ...numbersToTry(listed)];
  const { versionReach } = context.rules;
  // A service that takes fewer requests than one search needs refuses some of each attempt: the next one asks only for the rest.
  const epochOf = (number: number) => listed.find((version) => version.number === number)?.epoch ?? null;
  // Unless another upload of ours has worked on it since.
  const absent = new Map(state.absent?.filter(([number, epoch]) => epochOf(number) === epoch));
  async function check(number: number): Promise<Seen> {
    if (absent.has(number)) return { present: false };
    const seen = await context.service.head(nameOf(number));
    if (!seen.present) absent.set(number, epochOf(number));
    return seen;
  }
  const newest = await findNewest(known, versionReach, check).catch((cause: unknown) => {
    context.show.note({ ...state, absent: [...absent] });
    throw cause;
  });
  if (newest === null) throw new AppFailure({ code: 'exists', status: 409, message: '' });
  if (awaits !== null && newest.number < awaits) return waitToBeShown(state);
  // Another upload of ours may have stored the newest meanwhile, or be about to: it may have these bytes.
  const newestId = nameOf(newest.number);
  if (await list.isBeingStored(record.id, newestId)) return waitForAnother(state);
  const before = (await find()).filter(({ number }) => number <= newest.number);
  const row = before.find(({ number }) => number === newest.number);
  if (context.rules.skipIdentical) {
    const same = await sameThere(context, work, row?.record, newestId, newest.seen);
    if (same) return { ...(await sameBytes(context, newestId, newest.seen)), ...confirm(row, same) };
  }
  const { takenNames = 0 } = work;
  if (takenNames >= maxTakenNames) return endRefused();
  const rows = before.map(({ record: each }) => each);
  const classification = classificationOver(work, rows);
  const number = newest.number + 1;
  const taken = await list.takeVersion(record.id, nameOf(number), epochOf(number), classification);
  if (taken === null) return waitForAnother(state);
  return {
    state: { name: record.route === 'direct' ? 'sending' : 'waiting' },
    change: {
      identifier: nameOf(number),
      objectId: taken.objectId,
      work: {
        ...work,
        classification,
        addedRow: taken.addedRow,
        mayBeThere: false,
        numberedFor: record.origin,
        takenNames: takenNames + 1,
      },
    },
    keepsClaim: true,
  };
};

/**
 * Continues a secret whose number exists already (409) under the next number that the list does not have; there is no
 * HEAD for secrets. null: it may only have its own name, or its value is gone.
 */
export async function nextSecretVersion(context: DeferredContext): Promise<Next | null> {
  const { record, list, rules, requests } = context;
  const { work, identifier } = record;
  const matches = work.kind === 'storeSecret' && work.asNewVersion === true;
  if (!matches || requests.secrets.valueOf(record.id) === null) return null;
  const { takenNames = 0 } = work;
  if (takenNames >= maxTakenNames) return endRefused();
  const { separator, versionMark } = rules;
  const own = versionOf(identifier, separator, versionMark);
  const listed = await list.versions(record.serviceId, 'secret', own.base, { separator, versionMark });
  const first = Math.max(own.number + 1, nextListed(listed));
  for (let number = first; number < first + maxTaken; number += 1) {
    const next = versionIdentifier(own.base, separator, versionMark, number);
    const epoch = listed.find((version) => version.number === number)?.epoch ?? null;
    const taken = await list.takeVersion(record.id, next, epoch);
    if (taken === null) continue;
    const { objectId, addedRow } = taken;
    return {
      state: { name: 'waiting' },
      change: { identifier: next, objectId, work: { ...work, addedRow, takenNames: takenNames + 1 } },
      keepsClaim: true,
    };
  }
  return null;
}

/** The next number, or the newest, belongs to another upload of ours. */
function waitForAnother({ looks }: Extract<State, { name: 'numbering' }>): Next {
  const delayMs = otherUploadDelayMs(looks);
  return { state: { name: 'numbering', awaits: null, looks: looks + 1 }, delayMs, isLazy: true };
}

/** @throws AppFailure exists, when it was never shown */
function waitToBeShown({ awaits, looks }: Extract<State, { name: 'numbering' }>): Next {
  const delayMs = refusedNumberMs[looks];
  if (delayMs === undefined) throw new AppFailure({ code: 'exists', status: 409, message: '' });
  return { state: { name: 'numbering', awaits, looks: looks + 1 }, delayMs, isLazy: true };
}

/** The newest version has these bytes already; a number that was taken for the upload is released. */
async function sameBytes(context: StepContext, newestId: string, newest: Seen): Promise<Next> {
  const work = { ...workOf(context, 'upload'), mayBeThere: false };
  const seen = await context.service.head(context.record.identifier);
  const lengthBytes = newest.present ? newest.lengthBytes : null;
  const next = skipped(work, seen, { isIdentical: true, sameAs: { identifier: newestId, lengthBytes } });
  return seen.present ? next : { ...next, row: { kind: 'remove' } };
}
