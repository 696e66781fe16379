import { basename, dirname, join } from 'node:path';
import type { Handlers, Input, ListedObject } from '../shared/contract.ts';
import type { ObjectKind, ObjectRecord } from '../shared/domain/object.ts';
import { versionMeant } from '../shared/domain/versions.ts';
import { AppFailure } from '../shared/app-failure.ts';
import { createStreams } from './command-streams.ts';
import type { Host } from './host.ts';
import type { Catalogue } from './objects/catalogue.ts';
import type { Grants } from './local-files/grants.ts';
import { Listings } from './object-handlers/listings.ts';
import type { Objects } from './object-handlers/object-handlers.ts';
import type { createExchange } from './object-handlers/exchange-handlers.ts';
import type { BulkOperations } from './bulk-operations/bulk-operations.ts';
import type { Connections } from './connections/connections.ts';
import type { Engine } from './transfers/engine.ts';
import type { PendingBatch } from './transfers/queue/pending-batch.ts';
import type { UploadPlans } from './upload-plan/upload-plans.ts';

type Name =
  | 'find'
  | 'list'
  | 'put'
  | 'get'
  | 'transfers'
  | 'trouble'
  | 'cancelAll'
  | 'leftBehind'
  | 'export'
  | 'import';

/** How many download actions to remember: one command may make several calls for the same action. */
const maxActions = 64;

/** Handlers of procedures that only the command line uses. */
export function createCommandHandlers(deps: {
  catalogue: Pick<Catalogue, 'findByIdentifiers' | 'versions' | 'getMany' | 'exportTo' | 'page' | 'idsOf'>;
  connections: Pick<Connections, 'factsOf' | 'serviceIds'>;
  engine: Pick<Engine, 'ofIds' | 'enqueue' | 'breakers' | 'actions' | 'leftBehind'>;
  bulk: Pick<BulkOperations, 'cancelAll'>;
  grants: Pick<Grants, 'resolve' | 'forget'>;
  overlaid: Objects['overlaid'];
  put: UploadPlans['put'];
  importList: ReturnType<typeof createExchange>['importList'];
}): Pick<Handlers, `command.${Name}`> {
  const { catalogue, connections, engine, bulk, grants, overlaid, put, importList } = deps;
  const listings = new Listings(catalogue);
  /** By the caller's id, oldest first. */
  const actions = new Map<string, PendingBatch>();

  async function meant(serviceId: string, kind: ObjectKind, identifier: string) {
    const { base, versions } = await catalogue.versions(serviceId, kind, identifier);
    return versionMeant(
      identifier,
      base,
      versions.map(({ record }) => record),
    );
  }

  async function takeOne(serviceId: string, granted: string): Promise<string> {
    // Check that the service exists: an unknown one has no list.
    await connections.factsOf(serviceId);
    return take([granted])[0] ?? '';
  }

  /** Resolves grants to paths and uses them up. */
  function take(granted: readonly string[]): string[] {
    const paths = granted.map((grant) => grants.resolve(grant));
    grants.forget(granted);
    return paths;
  }

  function pendingBatchOf({ id, count }: NonNullable<Input<'command.get'>['action']>): PendingBatch {
    const pendingBatch = actions.get(id) ?? { count };
    actions.set(id, pendingBatch);
    for (const oldest of actions.keys()) if (actions.size > maxActions) actions.delete(oldest);
    return pendingBatch;
  }

  return {
    'command.find': async ({ serviceId, kind, identifiers, newest = false }) => {
      const found = new Map(
        newest
          ? await Promise.all(
              identifiers.map(async (each) => [each, await meant(serviceId, kind, each)] as const),
            )
          : await catalogue.findByIdentifiers(serviceId, kind, identifiers),
      );
      const rows = await overlaid([...found.values()].filter((record) => record !== undefined));
      const byId = new Map(rows.map((row) => [row.id, row]));
      return { objects: identifiers.map((identifier) => byId.get(found.get(identifier)?.id ?? 0) ?? null) };
    },
    'command.list': async ({ query, offset, limit, listing }) => {
      const { total, rows } = await (listing === undefined
        ? catalogue.page(query, offset, limit)
        : listings.page(listing, query, offset, limit));
      return { total, rows: rows.map(toListed) };
    },
    'command.leftBehind': async ({ serviceId }) => ({ left: await engine.leftBehind(serviceId) }),
    'command.put': ({ serviceId, grants: granted, intoFolder, as, identifiers = null, ...choice }) => {
      if (identifiers !== null && identifiers.length !== granted.length)
        throw new AppFailure({ code: 'invalidInput', field: 'identifiers', problem: 'oneForEach' });
      return put(serviceId, take(granted), { intoFolder, as, identifiers }, choice);
    },
    'command.get': async ({ objectIds, grant, as, request, action }) => {
      const [path] = grant === null ? [] : take([grant]);
      if (objectIds.length > 1 && path !== undefined && as !== 'folder')
        throw new AppFailure({ code: 'invalidInput', field: 'saveAs', problem: 'oneObjectOnly' });
      const [object] = await catalogue.getMany(objectIds);
      if (!object) throw new AppFailure({ code: 'notFound', what: 'object' });
      const place = path === undefined ? {} : placeOf(path, as);
      const pendingBatch = action && pendingBatchOf(action);
      const options = {
        saveAsPath: null,
        route: request,
        pendingBatch,
        isByCommand: true,
        ...place,
      } as const;
      return { ids: await engine.enqueue.downloads(object.serviceId, objectIds, options) };
    },
    'command.export': async ({ serviceId, format, grant }) => ({
      count: await catalogue.exportTo(serviceId, format, await takeOne(serviceId, grant)),
    }),
    'command.import': async ({ serviceId, grant, encoding = null }) =>
      importList(serviceId, await takeOne(serviceId, grant), encoding),
    'command.trouble': async ({ serviceId }) => {
      await connections.factsOf(serviceId);
      return { error: engine.breakers.of(serviceId).trouble() };
    },
    'command.cancelAll': async () => {
      await bulk.cancelAll();
      for (const serviceId of connections.serviceIds())
        await engine.actions.cancel({ kind: 'service', serviceId });
      return undefined;
    },
    'command.transfers': async ({ ids }) => ({ transfers: await engine.ofIds(ids) }),
  };
}

function placeOf(
  path: string,
  as: Input<'command.get'>['as'],
): Partial<Parameters<Engine['enqueue']['downloads']>[2]> {
  if (as === 'replace') return { saveAsPath: path };
  return { into: as === 'folder' ? { folder: path } : { folder: dirname(path), fileName: basename(path) } };
}

function toListed(row: ObjectRecord): ListedObject {
  const { id, identifier, kind, state, lengthBytes, sha256, classification, storedAtMs, checkedAtMs, note } =
    row;
  const { renewBy, unverified, isShared, storedBy, isOwnStored } = row;
  return {
    id,
    identifier,
    kind,
    state,
    lengthBytes,
    sha256,
    classification,
    storedAtMs,
    checkedAtMs,
    note,
    ...(unverified !== undefined && { unverified }),
    ...(renewBy != null && { renewBy }),
    ...(isShared && { isShared }),
    ...(storedBy !== undefined && { storedBy }),
    ...(isOwnStored && { isOwnStored }),
  };
}

export async function command(
  host: Host,
  bulk: BulkOperations,
  uploads: UploadPlans,
  { overlaid, importList }: Pick<Parameters<typeof createCommandHandlers>[0], 'overlaid' | 'importList'>,
) {
  const { engine, log, paths } = host;
  const streams = createStreams(join(paths.userData, 'streams'), (path) => engine.ofPath(path), log);
  await streams.tidy();
  host.everyHour(() => streams.tidy());
  host.ownFolders.push(streams.own);
  return createCommandHandlers({
    ...host,
    bulk,
    overlaid,
    importList,
    put: (...upload) => uploads.put(...upload),
  });
}
