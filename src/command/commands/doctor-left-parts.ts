import { setTimeout } from 'node:timers/promises';
import type { CofferClient } from '../../main/agent/agent-client.ts';
import { isPartId, readPartId } from '../../shared/domain/made-names.ts';
import type { Service } from '../../shared/domain/service.ts';
import { doctorTexts as texts } from './doctor-texts.ts';

type Check =
  | 'node'
  | 'dataFolder'
  | 'disk'
  | 'app'
  | 'keychain'
  | 'proxy'
  | 'service'
  | 'leftParts'
  | 'unknownFiles';
export type Finding = {
  readonly check: Check;
  readonly isOk: boolean;
  readonly text: string;
  /** Absolute paths. */
  readonly files?: readonly string[];
  /** Skip the remaining checks: they would wait for the same process. */
  readonly isLast?: true;
};

const removalMs = 60_000;
const checkMs = 500;

/** Orphans, by upload. Deletes those of `wanted` and waits up to a minute; the app or the next command continues the deletion. */
export async function checkLeftParts(coffer: CofferClient, wanted: readonly string[]): Promise<Finding[]> {
  const { services } = await coffer.call('services.list', undefined);
  const open = new Set(wanted);
  const findings: Finding[] = [];
  for (const { id: serviceId, name } of services) {
    const { uploads } = await coffer.call('objects.leftParts', { serviceId });
    const removed = uploads.flatMap(({ upload }) => (open.has(upload) ? [upload] : []));
    if (removed.length > 0) await coffer.call('objects.removeLeftParts', { serviceId, uploads: removed });
    const after = await untilRemoved(coffer, serviceId, removed);
    for (const { identifier, upload, parts: count, why } of uploads) {
      const words = { count, identifier, name, upload };
      const isWanted = open.delete(upload);
      const left = after.uploads.find((each) => each.upload === upload);
      const isGoing = isWanted && after.removing.includes(upload);
      const isOk = isWanted && !left && !isGoing;
      const text = isOk
        ? texts.leftPartsRemoved(words)
        : isGoing
          ? texts.leftPartsGoing(words)
          : texts.leftParts({ ...words, why: texts.why[left?.why ?? why] });
      findings.push({ check: 'leftParts', isOk, text });
    }
  }
  for (const upload of open) {
    const [service, ...others] = services;
    // Named by a command without a stored list, which knew no more than this.
    if (service && others.length === 0 && isPartId(upload))
      findings.push(await removePartsUpTo(coffer, service, upload));
    else findings.push({ check: 'leftParts', isOk: false, text: texts.leftPartsUnknown({ upload }) });
  }
  return findings;
}

async function removePartsUpTo(
  coffer: CofferClient,
  { id: serviceId, name }: Service,
  lastPart: string,
): Promise<Finding> {
  const upload = readPartId(lastPart)?.upload ?? '';
  await coffer.call('objects.removePartsUpTo', { serviceId, lastPart });
  const { uploads, removing } = await untilRemoved(coffer, serviceId, [upload]);
  const left = uploads.find((each) => each.upload === upload);
  const words = { lastPart, name };
  const found = { check: 'leftParts' } as const;
  if (left) return { ...found, isOk: false, text: texts.partsStay({ ...words, why: texts.why[left.why] }) };
  const isOk = !removing.includes(upload);
  return { ...found, isOk, text: (isOk ? texts.partsRemoved : texts.partsGoing)(words) };
}

async function untilRemoved(coffer: CofferClient, serviceId: string, uploads: readonly string[]) {
  for (let waitedMs = 0; ; waitedMs += checkMs) {
    const left = await coffer.call('objects.leftParts', { serviceId });
    const isOver = !left.removing.some((each) => uploads.includes(each));
    if (isOver || waitedMs >= removalMs) return left;
    await setTimeout(checkMs);
  }
}
