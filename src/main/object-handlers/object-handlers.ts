import type { Handlers, ObjectFailure, ObjectRow, PartsShown } from '../../shared/contract.ts';
import type { HistoryEntry, ObjectRecord, Selection } from '../../shared/domain/object.ts';
import type { RowEdit } from '../../shared/domain/edit.ts';
import { AppFailure } from '../../shared/app-failure.ts';
import type { Catalogue } from '../objects/catalogue.ts';
import { requireObject } from '../objects/require-object.ts';
import type { Desktop } from '../ports.ts';
import type { Engine } from '../transfers/engine.ts';
import { readManifest } from '../transfers/parts/read-manifest.ts';
import { showParts } from '../transfers/parts/shown-parts.ts';

type Name =
  | 'page'
  | 'selectRange'
  | 'indexOf'
  | 'shownAs'
  | 'findName'
  | 'freeze'
  | 'freezeVersions'
  | 'summarize'
  | 'mixOf'
  | 'get'
  | 'savedFile'
  | 'savedFiles'
  | 'parts'
  | 'leftParts'
  | 'removeLeftParts'
  | 'removePartsUpTo'
  | 'setNote'
  | 'setRenewBy'
  | 'collections'
  | 'folderIndex'
  | 'folders'
  | 'names'
  | 'find'
  | 'stored'
  | 'copyIdentifiers';

export interface Objects {
  readonly handlers: Pick<Handlers, `objects.${Name}`>;
  /** Adds the state of running transfers to the records. */
  readonly overlaid: (records: readonly ObjectRecord[]) => Promise<ObjectRow[]>;
}

/** Which of these objects are being edited. */
export interface RowEdits {
  overlay(objectIds: readonly number[]): Map<number, RowEdit>;
}

const historyLimit = 200;
/** Objects of a selection whose downloads are looked up: enough to find their folder. */
const savedLimit = 100;
const batch = 1000;

/** The catalogue as the window shows it: rows with the state of running transfers. */
export function createObjects(deps: {
  catalogue: Omit<Catalogue, 'onChanged'>;
  engine: Pick<Engine, 'overlay' | 'failureOf' | 'savedFileOfObject' | 'partsOf' | 'orphans'>;
  edits: RowEdits;
  desktop: Pick<Desktop, 'writeClipboardText'>;
  /** Has changed when rows or their transfers may have. */
  revision: () => number;
}): Objects {
  const { catalogue, engine, edits, desktop } = deps;

  async function overlaid(records: readonly ObjectRecord[]): Promise<ObjectRow[]> {
    const ids = records.map(({ id }) => id);
    const over = await engine.overlay(ids);
    const edited = edits.overlay(ids);
    return records.map((record) => {
      const edit = edited.get(record.id);
      const { firstStoredAtMs, ...rest } = record;
      const storedAtMs = firstStoredAtMs ?? record.storedAtMs;
      return { ...rest, storedAtMs, transfer: null, ...over.get(record.id), ...(edit && { edit }) };
    });
  }

  return {
    overlaid,
    handlers: {
      'objects.page': async ({ query, offset, limit }) => {
        // Read before the rows: a change in between then causes one request too many, never one too few.
        const asked = deps.revision();
        const { rows, families, ...sums } = await catalogue.page(query, offset, limit);
        const ofRow = new Map(families.map(({ id, ...versions }) => [id, versions]));
        const shown = (await overlaid(rows)).map((row) => {
          const versions = ofRow.get(row.id);
          return versions === undefined ? row : { ...row, versions };
        });
        return { ...sums, revision: asked, rows: shown };
      },
      'objects.selectRange': async (range) => {
        const { bits, ...kept } = await catalogue.keepRange(range);
        return { ...kept, bits: Buffer.from(bits).toString('base64') };
      },
      'objects.folderIndex': async ({ query, path }) => ({ index: await catalogue.folderIndex(query, path) }),
      'objects.indexOf': async ({ query, id }) => ({ index: await catalogue.indexOf(query, id) }),
      'objects.shownAs': async ({ query, ids }) => ({ ids: await catalogue.shownAs(query, ids) }),
      'objects.findName': async ({ query, typed, from }) => ({
        found: await catalogue.findName(query, typed, from),
      }),
      'objects.freeze': async ({ selection }) => ({ selection: await catalogue.freeze(selection) }),
      'objects.freezeVersions': ({ selection }) => catalogue.freezeVersions(selection),
      'objects.summarize': ({ selection }) => catalogue.summarize(selection),
      'objects.mixOf': ({ selection }) => catalogue.mixOf(selection),
      'objects.get': async ({ id }) => {
        const [object] = await overlaid([await requireObject(catalogue, id)]);
        if (!object) throw new AppFailure({ code: 'notFound', what: 'object' });
        const history = await catalogue.history(id, historyLimit);
        const failed = object.transfer === null ? await engine.failureOf(id) : null;
        const { versions } = await catalogue.versions(object.serviceId, object.kind, object.identifier);
        const over = await overlaid(versions.map(({ record }) => record));
        const listed = over.flatMap((row, at) => {
          const number = versions[at]?.number;
          return number === undefined || row.state === 'gone' ? [] : { number, object: row };
        });
        return {
          object,
          history,
          versions: listed.toReversed(),
          failure: failed !== null && isResolved(failed, history) ? null : failed,
        };
      },
      'objects.savedFile': async ({ id }) => ({ saved: await engine.savedFileOfObject(id) }),
      'objects.savedFiles': async ({ selection }) => {
        const ids = [...(await catalogue.idsOf(selection)).subarray(0, savedLimit)];
        const files = await Promise.all(ids.map((id) => engine.savedFileOfObject(id)));
        return {
          transferIds: files.flatMap((saved) => (saved && saved.state !== 'gone' ? [saved.transferId] : [])),
        };
      },
      'objects.parts': async ({ id }) => {
        const record = await requireObject(catalogue, id);
        return { parts: (await engine.partsOf(id)) ?? (await storedParts(catalogue, record)) };
      },
      'objects.leftParts': async ({ serviceId }) => ({
        uploads: engine.orphans.left(serviceId),
        removing: engine.orphans.removing(serviceId),
      }),
      'objects.removeLeftParts': async ({ serviceId, uploads }) => {
        await engine.orphans.removeLeft(serviceId, uploads);
        return undefined;
      },
      'objects.removePartsUpTo': async ({ serviceId, lastPart }) => {
        await engine.orphans.removeUpTo(serviceId, lastPart);
        return undefined;
      },
      'objects.setNote': async ({ id, note }) => {
        await requireObject(catalogue, id);
        await catalogue.update([{ id, patch: { note }, history: { action: 'noteChanged' } }]);
        return undefined;
      },
      'objects.setRenewBy': async ({ id, renewBy }) => {
        await requireObject(catalogue, id, 'secret');
        await catalogue.update([{ id, patch: { renewBy } }]);
        return undefined;
      },
      'objects.collections': ({ serviceId }) => catalogue.collections(serviceId),
      'objects.folders': ({ serviceId, parent }) => catalogue.folders(serviceId, parent),
      'objects.names': async ({ selection, limit }) => {
        const ids = await catalogue.idsOf(selection);
        const records = await catalogue.getMany([...ids.subarray(0, limit)]);
        return { rows: records.map(({ id, identifier, lengthBytes }) => ({ id, identifier, lengthBytes })) };
      },
      'objects.find': async ({ serviceId, kind, identifier }) => {
        const found = (await catalogue.findByIdentifiers(serviceId, kind, [identifier])).get(identifier);
        if (!found) throw new AppFailure({ code: 'notFound', what: 'object' });
        return { id: found.id, state: found.state };
      },
      'objects.stored': async ({ serviceId, identifiers }) => {
        const found = await catalogue.findByIdentifiers(serviceId, 'data', identifiers);
        const stored = [...found.values()].filter(({ state }) => state === 'stored');
        return { stored: stored.map(({ identifier, classification }) => ({ identifier, classification })) };
      },
      'objects.copyIdentifiers': async ({ selection }) => {
        const identifiers = await identifiersOf(catalogue, selection);
        await desktop.writeClipboardText(identifiers.join('\n'));
        return { count: identifiers.length };
      },
    },
  };
}

/** null: the object is stored whole, or its manifest has not been read. */
async function storedParts(
  catalogue: Pick<Catalogue, 'manifestOf' | 'missingPartsOf'>,
  { id, identifier, parts }: ObjectRecord,
): Promise<PartsShown | null> {
  const text = parts === undefined ? null : await catalogue.manifestOf(id);
  if (text === null) return null;
  const reading = await readManifest(Buffer.from(text), identifier);
  if (reading.kind !== 'manifest') return null;
  const missing = new Set(await catalogue.missingPartsOf(id));
  return showParts(reading.manifest, (_, index) => (missing.has(index) ? 'missing' : 'there'));
}

async function identifiersOf(
  catalogue: Pick<Catalogue, 'idsOf' | 'getMany'>,
  selection: Selection,
): Promise<string[]> {
  const ids = await catalogue.idsOf(selection);
  const identifiers: string[] = [];
  for (let from = 0; from < ids.length; from += batch) {
    const records = await catalogue.getMany([...ids.subarray(from, from + batch)]);
    for (const { identifier } of records) identifiers.push(identifier);
  }
  return identifiers;
}

/** Whether a later transfer did what this one failed to do. */
function isResolved({ direction, finishedAtMs }: ObjectFailure, history: readonly HistoryEntry[]): boolean {
  const done = direction === 'upload' ? 'uploaded' : 'downloaded';
  return history.some(({ action, atMs }) => action === done && atMs > (finishedAtMs ?? 0));
}
