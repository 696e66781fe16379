import type { Handlers, Input, Output, ProcedureName } from '../../../../src/shared/contract.ts';
import { versionMarkDefault, type Service } from '../../../../src/shared/domain/service.ts';
import { AppFailure } from '../../../../src/shared/app-failure.ts';
import { draftOf } from '../../../../src/command/services/draft.ts';
import type { CofferClient } from '../../../../src/main/agent/agent-client.ts';
import type { BulkOperations } from '../../../../src/main/bulk-operations/bulk-operations.ts';
import { createCommandHandlers } from '../../../../src/main/command-handlers.ts';
import { createRouter } from '../../../../src/main/ipc/router.ts';
import { createGrants } from '../../../../src/main/local-files/grants.ts';
import { createObjects } from '../../../../src/main/object-handlers/object-handlers.ts';
import type { Catalogue } from '../../../../src/main/objects/catalogue.ts';
import type { Log } from '../../../../src/main/ports.ts';
import { createTransferHandlers } from '../../../../src/main/transfers/handlers.ts';
import { createUploadPlans } from '../../../../src/main/upload-plan/upload-plans.ts';
import type { Below } from '../installation.ts';

/** How often events come, by the virtual clock. */
const eventsMs = 250;

/** Opens Coffer for a command, as `openCoffer` does, over one simulated installation. Its calls never settle once that is dead. */
export type OpenCoffer = () => CofferClient;

/** @param service the one service that the command line knows */
export function createOpenCoffer(
  { engine, documents, connections, clock, catalogue: local, folder, isAlive }: Below,
  { bulk, log, service }: { bulk: BulkOperations; log: Log; service: Service },
): OpenCoffer {
  // The type also has open, close and change events of the list, which are not needed here.
  const catalogue = local as unknown as Catalogue;
  const grants = createGrants();
  const noWindow = async () => false;
  const desktop = {
    openFile: noWindow,
    openFolder: noWindow,
    showInFolder: () => undefined,
    writeClipboardText: async () => undefined,
  };
  const plans = createUploadPlans({
    documents,
    catalogue,
    connections,
    grants,
    clock,
    log,
    publisher: { publish: () => undefined },
    enqueueUploads: engine.enqueue.uploads,
    onUpload: async () => undefined,
    onUploading: () => undefined,
  });
  const { overlaid } = createObjects({
    catalogue,
    engine,
    edits: { overlay: () => new Map() },
    desktop,
    revision: () => 0,
  });
  const handlers: Partial<Handlers> = {
    ...bulk.handlers,
    ...createTransferHandlers(engine, desktop, grants, folder),
    ...createCommandHandlers({
      catalogue,
      engine,
      bulk,
      grants,
      overlaid,
      connections,
      put: (...upload) => plans.put(...upload),
      importList: async () => {
        throw new AppFailure({ code: 'unknownProcedure' });
      },
    }),
    'services.list': async () => ({ revision: 0, services: [service], activeId: service.id }),
  };
  const router = createRouter(async () => handlers, log);
  const gone = new Promise<never>(() => undefined);

  return () => {
    const closing = new AbortController();
    const listeners: (() => void)[] = [];
    const tell = async () => {
      for (;;) {
        await clock.delay(eventsMs, closing.signal);
        for (const listener of listeners) listener();
      }
    };
    tell().catch(() => undefined);
    return {
      async call<N extends ProcedureName>(name: N, input: Input<N>): Promise<Output<N>> {
        const reply = await (isAlive() ? router(name, input) : gone);
        if (!isAlive()) return gone;
        if (reply.ok) return reply.value as Output<N>;
        throw new AppFailure(reply.error);
      },
      grant: async (paths) => grants.grant(paths),
      async follow(_event, listener) {
        // Commands only wait for events, and ask for what has changed.
        listeners.push(listener as () => void);
      },
      gone,
      close: async () => closing.abort(),
    };
  };
}

/** A service as the connection form adds it. */
export function listedService(id: string, address: string, versionMark = versionMarkDefault): Service {
  const { clientCertificate: _, authority: __, downloadFolder: ___, ...draft } = draftOf('Test', address);
  return { ...draft, id, versionMark } as Service;
}
