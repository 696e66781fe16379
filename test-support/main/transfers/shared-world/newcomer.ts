import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isPartId } from '../../../../src/shared/domain/made-names.ts';
import type { Manifest } from '../../../../src/main/transfers/parts/manifest.ts';
import { isFinished } from '../../../../src/shared/domain/transfer.ts';
import type { SimulatedService } from '../simulated-service.ts';
import type { VirtualClock } from '../virtual-clock.ts';
import { digestAt, listAt, versionAt } from './lists.ts';
import { whoTookPart, type Checked } from './checks.ts';
import type { Person } from './person.ts';

/**
 * Adds every stored identifier that any installation lists to a new installation, downloads it, and checks that the bytes are
 * those that were uploaded.
 */
export async function checkAsNewcomer(
  looked: Checked,
  newcomer: Person,
  persons: readonly Person[],
  clock: VirtualClock,
): Promise<void> {
  const { service, blame } = looked;
  const identifiers = new Set<string>();
  for (const person of persons)
    for (const { identifier, state } of await person.rows()) {
      if (state !== 'stored') continue;
      if (!service.versions.has(identifier))
        blame(`I1: ${person.who} shows ${identifier} as stored, which never was`);
      else if (versionAt(service, identifier)) identifiers.add(identifier);
    }
  if (identifiers.size === 0) return;
  await newcomer.addKnown('p', [...identifiers]);
  await clock.advance(60_000);
  const rows = await newcomer.rows();
  for (const identifier of identifiers)
    if (!rows.some((row) => row.identifier === identifier)) blame(`I3: ${identifier} is not found anew`);
  const paths = new Map<number, { identifier: string; path: string }>();
  for (const { id, identifier } of rows) {
    const path = join(newcomer.folder, `download-${id}`);
    const options = { saveAsPath: path, route: 'direct' } as const;
    const [transferId] = await newcomer.engine.enqueue.downloads('p', [id], options);
    paths.set(transferId ?? 0, { identifier, path });
  }
  const open = async () => (await newcomer.transfers()).some(({ state }) => !isFinished(state));
  for (let round = 0; round < 60 && (await open()); round += 1) await clock.advance(10_000);
  for (const { id, state, error } of await newcomer.transfers()) {
    const { identifier = '', path = '' } = paths.get(id) ?? {};
    const { text = '', by } = versionAt(service, identifier) ?? {};
    // A stranger's object or a part may begin like a manifest without being one: it is downloaded as a plain file.
    const isNone = (by === 'stranger' || isPartId(identifier)) && error?.code === 'partsWrong';
    const list = listAt(identifier, text);
    const isTaken = list?.parts.some(
      (part) => !versionAt(service, part.id) || whoTookPart(looked, part.id, identifier) !== null,
    );
    // A stranger's manifest may name some parts of a file and the digest of all of it.
    const isFalse =
      list !== null && by === 'stranger' && hash('sha256', joined(service, list)) !== list.sha256;
    if (state !== 'done') {
      if (isTaken !== true && !isNone && !isFalse)
        blame(`I3: ${identifier} cannot be had: ${state} ${JSON.stringify(error)}`);
      continue;
    }
    const bytes = await readFile(path);
    if (hash('sha256', bytes) !== digestAt(identifier, text))
      blame(`I3: ${identifier} is not what was uploaded`);
  }
}

function joined(service: SimulatedService, { parts }: Manifest): string {
  return parts.map(({ id }) => versionAt(service, id)?.text ?? '').join('');
}
