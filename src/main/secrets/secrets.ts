import { basename } from 'node:path';
import { mainTexts } from '../texts.ts';
import type { Handlers } from '../../shared/contract.ts';
import type { ClipboardState } from '../../shared/domain/secret.ts';
import { isHearsay } from '../../shared/domain/unverified.ts';
import { safeFileName } from '../../shared/domain/file-name.ts';
import { versionIdentifier } from '../../shared/domain/versions.ts';
import { AppFailure } from '../../shared/app-failure.ts';
import type { ClassificationService } from '../classifications/classifications.ts';
import type { Catalogue } from '../objects/catalogue.ts';
import { requireObject } from '../objects/require-object.ts';
import type { Grants } from '../local-files/grants.ts';
import type { Host } from '../host.ts';
import { webMarkOf } from '../local-files/web-mark.ts';
import { newestListed, nextListed } from '../transfers/queue/newest-version.ts';
import type { Engine } from '../transfers/engine.ts';
import type { Clock, Desktop, Dialogs, Log, Publisher } from '../ports.ts';
import type { Connections } from '../connections/connections.ts';
import { generate } from './generate.ts';
import type { ClipboardAccess } from './clipboard-programs.ts';
import { createSecretClipboard } from './secret-clipboard.ts';
import {
  isCopyable,
  readSecretSource,
  savePrivately,
  toClipboardText,
  toSecretValue,
} from './secret-value.ts';

type Name =
  | 'inspect'
  | 'store'
  | 'nextVersion'
  | 'reveal'
  | 'copy'
  | 'copyInvitation'
  | 'saveAs'
  | 'stop'
  | 'generate'
  | 'clipboard'
  | 'clearClipboard';

/** @param absentMs how long to ask for a secret that is missing @param signal ends the wait */
export interface Waiting {
  readonly absentMs: number;
  readonly signal: AbortSignal;
}

export interface Secrets {
  readonly handlers: Pick<Handlers, `secrets.${Name}`>;
  /** Reads a value for a program; its bytes are overwritten when `handOn` returns. */
  give<T>(id: number, handOn: (value: Uint8Array) => T, waiting?: Waiting): Promise<T>;
  /** Copies to the clipboard. */
  copy(id: number, waiting?: Waiting): Promise<ClipboardState>;
  /** Call when the computer wakes up. */
  wake(): void;
  /** Call when the window gets the focus. */
  focused(): void;
  /** Call when the person's session ends. */
  clearClipboard(): void;
  /** Aborts reads, and removes a value that is still on the clipboard. */
  close(): Promise<void>;
}

/**
 * Secrets (section 4.3 of the interface). A value is only ever in memory, and its bytes are overwritten after use.
 * Strings cannot be overwritten; they are left to the garbage collector.
 */
export function createSecrets(deps: {
  engine: Pick<Engine, 'readSecret'> & { readonly enqueue: Pick<Engine['enqueue'], 'storeSecret'> };
  catalogue: Pick<Catalogue, 'getMany' | 'update' | 'versions'>;
  connections: Pick<Connections, 'factsOf' | 'momentOf'>;
  grants: Pick<Grants, 'resolve' | 'forget'>;
  dialogs: Pick<Dialogs, 'saveFile'>;
  desktop: ClipboardAccess & Pick<Desktop, 'notify'>;
  clock: Clock;
  log: Log;
  publisher: Publisher;
  onStored: (serviceId: string, classification: string | null) => Promise<void>;
}): Secrets {
  const { engine, catalogue, connections, grants, dialogs, desktop, clock, log, publisher, onStored } = deps;
  const clipboard = createSecretClipboard({
    desktop,
    clock,
    log,
    onChanged(state) {
      publisher.publish('secrets.clipboardChanged', state);
      if (state.waitsForFocus) {
        const { clipboardHeld: title, clipboardHeldText: body } = mainTexts.notification;
        desktop.notify({ title, body });
      }
    },
  });
  const readings = new Set<{ id: number; stopper: AbortController }>();

  /** Reads the value from the service, and records the purpose. */
  async function read<T>(
    id: number,
    purpose: string,
    handOn: (value: Uint8Array) => Promise<T> | T,
    waiting?: Waiting,
  ): Promise<T> {
    const reading = { id, stopper: new AbortController() };
    const signal = AbortSignal.any([reading.stopper.signal, ...(waiting ? [waiting.signal] : [])]);
    readings.add(reading);
    let value: Uint8Array = new Uint8Array();
    try {
      value = await engine.readSecret(id, signal, waiting?.absentMs);
      signal.throwIfAborted();
      const result = await handOn(value);
      // Only a successful read counts as used.
      const [row] = await catalogue.getMany([id]);
      const nowMs = clock.nowMs();
      const patch = { checkedAtMs: row ? connections.momentOf(row.serviceId, nowMs) : nowMs };
      await catalogue.update([{ id, patch, history: { action: 'secretRead', detail: purpose } }]);
      return result;
    } catch (cause) {
      throw signal.aborted ? new AppFailure({ code: 'cancelled' }) : cause;
    } finally {
      value.fill(0);
      readings.delete(reading);
    }
  }

  async function classificationOfNewest(serviceId: string, identifier: string): Promise<string | null> {
    const { versions } = await catalogue.versions(serviceId, 'secret', identifier);
    const seen = versions.filter(({ record }) => !isHearsay(record));
    return (newestListed(seen) ?? newestListed(versions))?.record.classification ?? null;
  }

  const copy = (id: number, waiting?: Waiting) =>
    read(id, 'copied', (value) => clipboard.copy(id, toClipboardText(value)), waiting);

  return {
    give: (id, handOn, waiting) => read(id, 'given', handOn, waiting),
    copy,
    handlers: {
      'secrets.store': async ({
        serviceId,
        identifier,
        classification: given,
        source,
        asNewVersion = false,
        storesUnseen = false,
        renewBy,
      }) => {
        const { maxSecretBytes } = await connections.factsOf(serviceId);
        const { value, sourceName } = await readSecretSource(source, grants, maxSecretBytes);
        try {
          const classification =
            given === undefined && asNewVersion
              ? await classificationOfNewest(serviceId, identifier)
              : (given ?? null);
          // The engine has its own copy.
          const stored = await engine.enqueue.storeSecret(serviceId, {
            identifier,
            classification,
            value,
            sourceName,
            ...(asNewVersion && { asNewVersion }),
            ...(storesUnseen && { storesUnseen }),
            ...(renewBy !== undefined && { renewBy }),
          });
          if (source.kind === 'grant') grants.forget([source.grant]);
          await onStored(serviceId, classification);
          return { transferId: stored.id, identifier: stored.identifier };
        } finally {
          value.fill(0);
        }
      },
      'secrets.nextVersion': async ({ serviceId, identifier }) => {
        const { base, versions } = await catalogue.versions(serviceId, 'secret', identifier);
        const { separator, versionMark } = await connections.factsOf(serviceId);
        return { identifier: versionIdentifier(base, separator, versionMark, nextListed(versions)) };
      },
      'secrets.inspect': async ({ serviceId, grant }) => {
        const { maxSecretBytes } = await connections.factsOf(serviceId);
        const { value } = await readSecretSource({ kind: 'grant', grant }, grants, maxSecretBytes);
        try {
          return { isText: isCopyable(value) };
        } finally {
          value.fill(0);
        }
      },
      'secrets.reveal': ({ id }) => read(id, 'revealed', toSecretValue),
      'secrets.copy': async ({ id, revealed }) => {
        if (revealed === undefined) return copy(id);
        const state = await clipboard.copy(id, revealed);
        await catalogue.update([{ id, patch: {}, history: { action: 'secretRead', detail: 'copied' } }]);
        return state;
      },
      'secrets.copyInvitation': ({ invitation }) => clipboard.copy(null, invitation),
      'secrets.saveAs': async ({ id }) => {
        const { serviceId, identifier, sourceName } = await requireObject(catalogue, id, 'secret');
        const { separator } = await connections.factsOf(serviceId);
        const path = await dialogs.saveFile({
          title: mainTexts.dialog.saveSecret,
          defaultName: safeFileName(identifier.split(separator).at(-1) || sourceName || ''),
          filters: [],
        });
        if (path === null) return null;
        await read(id, 'saved', (value) => savePrivately(path, value, true, webMarkOf()));
        return { fileName: basename(path) };
      },
      'secrets.stop': ({ id }) => {
        for (const reading of readings) if (reading.id === id) reading.stopper.abort();
        return undefined;
      },
      'secrets.generate': (wish) => ({ text: generate(wish) }),
      'secrets.clipboard': () => clipboard.state(),
      'secrets.clearClipboard': async () => {
        await clipboard.clear();
        return undefined;
      },
    },
    wake: () => clipboard.wake(),
    focused: () => clipboard.focused(),
    clearClipboard: () => clipboard.clearUnseen(),
    async close() {
      for (const { stopper } of readings) stopper.abort();
      await clipboard.clear();
    },
  };
}

export function secrets(host: Host, { rememberUsed }: Pick<ClassificationService, 'rememberUsed'>): Secrets {
  const own = createSecrets({
    ...host,
    onStored: (serviceId, classification) => rememberUsed(serviceId, classification),
  });
  host.onClose(() => own.close());
  host.onWake(() => own.wake());
  host.onFocus(() => own.focused());
  return own;
}
