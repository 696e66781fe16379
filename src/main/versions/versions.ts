import { structuredPatch } from 'diff';
import type { Handlers, Output } from '../../shared/contract.ts';
import { isUnverified, provenDigest } from '../../shared/domain/unverified.ts';
import type { ObjectRecord } from '../../shared/domain/object.ts';
import { previewProblem } from '../../shared/domain/preview.ts';
import type { Settings } from '../../shared/domain/settings.ts';
import { versionIdentifier } from '../../shared/domain/versions.ts';
import type { Seen } from '../transfers/model/state.ts';
import { changeAfterHead, checkPresence } from '../bulk-operations/check-objects.ts';
import { createRetryingRequest } from '../transfers/queue/retrying-request.ts';
import type { Catalogue, NewObject } from '../objects/catalogue.ts';
import { requireObject } from '../objects/require-object.ts';
import type { Clock } from '../ports.ts';
import { isText } from '../preview/content.ts';
import type { Host } from '../host.ts';
import type { Connections } from '../connections/connections.ts';
import { readBytes } from '../service/bodies.ts';
import type { Engine } from '../transfers/engine.ts';
import { findNewest, numbersToTry } from '../transfers/queue/newest-version.ts';
import { createMakeCurrent, type MakeCurrent } from './copies.ts';

type Lines = NonNullable<Output<'objects.compareVersions'>['lines']>;

/** Maximum number of lines shown. */
const maxLines = 2000;
/** Number of unchanged lines shown around a change. */
const contextLines = 3;
/** Time limit of a comparison, in ms: two texts may have nothing in common. */
const longestMs = 2000;

/** The differences between two texts, line by line; null: too many to be useful. */
export function compareLines(before: string, after: string): Lines | null {
  const patch = structuredPatch('', '', before, after, '', '', { context: contextLines, timeout: longestMs });
  if (patch === undefined) return null;
  const lines: Lines = [];
  for (const [at, hunk] of patch.hunks.entries()) {
    if (at > 0) lines.push({ kind: 'skipped', text: '' });
    for (const line of hunk.lines) {
      const kind = kinds[line[0] ?? ''];
      // `\ No newline at end of file`
      if (kind === undefined) continue;
      if (lines.length === maxLines) return [...lines, { kind: 'skipped', text: '' }];
      lines.push({ kind, text: line.slice(1) });
    }
  }
  return lines;
}

const kinds: Readonly<Record<string, 'same' | 'removed' | 'added'>> = {
  ' ': 'same',
  '-': 'removed',
  '+': 'added',
};

type Name = 'findVersions' | 'makeCurrent' | 'compareVersions';

export interface Versions {
  readonly handlers: Pick<Handlers, `objects.${Name}`>;
  /** Aborts downloads. */
  close(): void;
}

/** Maximum number of unknown versions that are checked one by one: the newest. */
const maxFound = 200;
/** Larger texts are not compared line by line. */
const compareMaxBytes = 2 * 1024 * 1024;

/** Operations on the versions of an object. */
export function createVersions(deps: {
  catalogue: Pick<Catalogue, 'getMany' | 'versions' | 'add' | 'update'>;
  connections: Pick<Connections, 'openFor' | 'factsOf' | 'momentOf'>;
  engine: Pick<Engine, 'breakers'>;
  makeCurrent: Pick<MakeCurrent, 'begin'>;
  clock: Clock;
  settings: () => Pick<Settings, 'versionReach'>;
}): Versions {
  const { catalogue, connections, engine, makeCurrent, clock, settings } = deps;
  const request = createRetryingRequest({
    connections,
    breakers: engine.breakers,
    clock,
    priority: 'person',
  });
  const closed = new AbortController();
  const { signal } = closed;
  const getData = (id: number) => requireObject(catalogue, id, 'data');

  async function textOf({ serviceId, identifier }: ObjectRecord): Promise<string | null> {
    const { body } = await request(serviceId, signal, (service) => service.get(identifier));
    const bytes = await readBytes(body, compareMaxBytes);
    return bytes && isText(bytes) ? new TextDecoder().decode(bytes) : null;
  }

  return {
    handlers: {
      'objects.findVersions': async ({ id, wasSeen = false }) => {
        const { serviceId, identifier } = await getData(id);
        const { separator, versionMark } = await connections.factsOf(serviceId);
        const { base, versions } = await catalogue.versions(serviceId, 'data', identifier);
        const nameOf = (number: number) => versionIdentifier(base, separator, versionMark, number);
        const checked = new Map<number, Promise<Seen>>();
        const check = (number: number) => {
          const seen =
            checked.get(number) ?? checkPresence(request, { serviceId, identifier: nameOf(number) }, signal);
          checked.set(number, seen);
          return seen;
        };
        for (const { number, record } of versions)
          if (wasSeen && record.id === id)
            checked.set(number, Promise.resolve({ present: true, lengthBytes: record.lengthBytes }));
        const known = new Set(versions.map(({ number }) => number));
        const newest = await findNewest(numbersToTry(versions), settings().versionReach, check);
        const moment = () => connections.momentOf(serviceId, clock.nowMs());
        const told = versions.filter(({ record }) => isUnverified(record, 'presence')).slice(-maxFound);
        for (const { number, record } of told) {
          const change = changeAfterHead(record, await check(number), moment());
          if (change) await catalogue.update([{ ...change, ifState: record.state }]);
        }
        const found: NewObject[] = [];
        for (let number = newest?.number ?? 0; number > 0 && found.length < maxFound; number -= 1) {
          if (known.has(number)) continue;
          const seen = await check(number);
          if (!seen.present) continue;
          const patch = {
            state: 'stored',
            lengthBytes: seen.lengthBytes,
            checkedAtMs: moment(),
          } as const;
          found.push({ kind: 'data', identifier: nameOf(number), patch, history: { action: 'added' } });
        }
        const added = found.length === 0 ? [] : await catalogue.add(serviceId, found);
        return { added: added.filter((each) => each.added).length };
      },

      'objects.makeCurrent': async ({ id }) => makeCurrent.begin(await getData(id)),

      'objects.compareVersions': async ({ ids }) => {
        const [before, after] = [await getData(ids[0]), await getData(ids[1])];
        const [old256, new256] = [provenDigest(before), provenDigest(after)];
        const isKnown = old256 !== null && new256 !== null;
        const digest = !isKnown ? 'unknown' : old256 === new256 ? 'same' : 'different';
        const problem = previewProblem(before, compareMaxBytes) ?? previewProblem(after, compareMaxBytes);
        if (problem !== null || digest === 'same') return { digest, lines: null, problem };
        const [old, current] = [await textOf(before), await textOf(after)];
        if (old === null || current === null) return { digest, lines: null, problem: 'type' };
        return {
          digest: old === current ? 'same' : 'different',
          lines: compareLines(old, current),
          problem: null,
        };
      },
    },
    close() {
      closed.abort();
    },
  };
}

export function versions(host: Host): Versions['handlers'] {
  const makeCurrent = createMakeCurrent({ ...host, userDataFolder: host.paths.userData });
  host.onClose(() => makeCurrent.close());
  host.ownFolders.push(makeCurrent.own);
  const own = createVersions({ ...host, makeCurrent });
  host.onClose(() => own.close());
  return own.handlers;
}
