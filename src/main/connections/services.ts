import { randomUUID } from 'node:crypto';
import type { Handlers } from '../../shared/contract.ts';
import {
  separatorDefault,
  versionMarkDefault,
  type IfExists,
  type Profile,
  type ProfileDraft,
  type RequestKind,
} from '../../shared/domain/service.ts';
import { AppFailure } from '../../shared/errors.ts';
import type { Catalogue } from '../storage/database.ts';
import type { Grants } from '../local-files/grants.ts';
import { localProfileId, type LocalService } from './local-service.ts';
import type { Clock, Paths, Publisher } from '../ports.ts';
import { KeyedMutex } from '../lib/async.ts';
import { downloadFolderOf, shortenHome } from './download-folder.ts';
import { forgetChoices } from './draft-choices.ts';
import type { OpenConnections } from './open-connections.ts';
import { makeLocalProfile } from './local-service-entry.ts';
import { originOf, tokenOriginOf } from './origins.ts';
import type { Passphrases } from './passphrases.ts';
import type { ProfileBook, StoredProfile } from './service-repository.ts';
import { createProfileDrafts } from './service-drafts.ts';
import type { Proxies } from './proxies.ts';
import type { Tokens } from './tokens.ts';

type Name =
  | 'list'
  | 'test'
  | 'tryObject'
  | 'add'
  | 'update'
  | 'setToken'
  | 'remove'
  | 'rememberShown'
  | 'activate'
  | 'check'
  | 'tryLocal';

export interface Profiles {
  readonly handlers: Pick<Handlers, `profiles.${Name}`>;
  /** Looks after all services, in the background. */
  start(): void;
  /** Tells the window to look again. */
  publishChanged(): void;
  /** The choices of an upload are remembered per service. */
  rememberChoices(profileId: string, choices: { ifExists: IfExists; request: RequestKind }): Promise<void>;
  /** How many tokens lie in the keychain. */
  countKeptTokens(): number;
}

export function createProfiles(deps: {
  book: ProfileBook;
  tokens: Tokens;
  passphrases: Passphrases;
  proxies: Proxies;
  /** Made with an `onChanged` that calls `publishChanged` of the result. */
  connections: OpenConnections;
  localService: LocalService;
  catalogue: Pick<Catalogue, 'setNaming' | 'removeProfile'>;
  grants: Grants;
  paths: Pick<Paths, 'downloads' | 'home'>;
  clock: Clock;
  publisher: Publisher;
  /** A profile goes: what works for it ends before its rows do. */
  onRemove: (profileId: string) => Promise<void>;
  /** How many transfers of a profile are not finished. */
  unfinishedOf: (profileId: string) => Promise<number>;
  /** Ends them all; resolves when nothing more is asked for them. */
  cancelUnfinished: (profileId: string) => Promise<void>;
}): Profiles {
  const { book, tokens, passphrases, connections, localService, catalogue, grants, paths, publisher } = deps;
  const drafts = createProfileDrafts(deps);
  let revision = 0;
  /** What a person asks of one profile is done in the order it was asked for. */
  const mutex = new KeyedMutex<string>();

  function publishChanged(): void {
    publisher.publish('profiles.changed', { revision: ++revision });
  }

  function describe(stored: StoredProfile): Profile {
    const { downloadFolder: _folder, shownList: _shown, ...rest } = stored;
    const { authority, clientCertificate, ...same } = rest;
    return {
      ...same,
      authority: authority && {
        fileName: authority.fileName,
        subject: authority.subject,
        fingerprint: authority.fingerprint,
      },
      clientCertificate: clientCertificate && {
        fileName: clientCertificate.fileName,
        passphraseKept: passphrases.keptIn(stored.id, clientCertificate.digest),
      },
      downloadFolderLabel: shortenHome(downloadFolderOf(stored, paths), paths.home),
      connection: connections.stateOf(stored.id),
      trouble: connections.troubleOf(stored.id),
      tokenKept: tokens.keptIn(stored.id, tokenOriginOf(stored)),
    };
  }

  async function add(draft: ProfileDraft, passphrase?: string): Promise<StoredProfile> {
    const read = await drafts.read(draft, undefined, passphrase);
    const address = { isLocal: false, baseAddress: read.baseAddress };
    // The same service again finds the list that was kept of it.
    const keptId = await book.findKept(read.baseAddress);
    const id = keptId ?? randomUUID();
    const stored: StoredProfile = {
      ...read,
      ...address,
      id,
      ifExists: 'ask',
      request: 'direct',
    };
    await book.add(stored);
    if (stored.clientCertificate) await passphrases.keep(id, stored.clientCertificate, passphrase ?? '');
    const isUsual = stored.separator === separatorDefault && stored.versionMark === versionMarkDefault;
    if (keptId !== null || !isUsual) await catalogue.setNaming(id, stored);
    return stored;
  }

  /**
   * Another address is another service: nothing that was asked for the one before goes to it. The token goes first,
   * since only that can fail without anything being lost.
   * @returns whether it is another
   * @throws AppFailure serviceBusy, keychain: then nothing has changed
   */
  async function leaveOrigin(before: StoredProfile, next: StoredProfile, unfinished: 'ask' | 'cancel') {
    if (originOf(before) === originOf(next)) return false;
    const count = await deps.unfinishedOf(before.id);
    if (count > 0 && unfinished === 'ask') throw new AppFailure({ code: 'serviceBusy', count });
    if (tokenOriginOf(before) !== tokenOriginOf(next)) await tokens.remove(before.id);
    await deps.cancelUnfinished(before.id);
    return true;
  }

  async function activate(id: string): Promise<void> {
    await book.activate(id);
    publishChanged();
    void connections.check(id);
  }

  return {
    start() {
      // The built-in service starts only for who works with it.
      for (const { id, isLocal } of book.list()) {
        if (!isLocal || id === book.activeId()) void connections.check(id);
      }
    },
    publishChanged,
    async rememberChoices(profileId, { ifExists, request }) {
      await book.update(profileId, (current) => ({ ...current, ifExists, request }));
      publishChanged();
    },
    countKeptTokens: () =>
      book.list().filter((profile) => tokens.keptIn(profile.id, tokenOriginOf(profile)) === 'keychain')
        .length,

    handlers: {
      'profiles.list': () => {
        const stored = book.list();
        const shown = stored.flatMap(({ id, shownList }) =>
          shownList === undefined ? [] : [[id, shownList]],
        );
        return {
          revision,
          profiles: stored.map(describe),
          activeId: book.activeId(),
          shownLists: Object.fromEntries(shown),
        };
      },

      'profiles.test': drafts.test,
      'profiles.tryObject': drafts.tryObject,

      'profiles.add': async ({ draft, token, passphrase }) => {
        const usable = cleanToken(token);
        const stored = await add(draft, passphrase);
        forgetChoices(draft, grants);
        await tokens.set(stored.id, tokenOriginOf(stored), usable);
        if (book.activeId() === null) await book.activate(stored.id);
        void connections.check(stored.id);
        publishChanged();
        return describe(stored);
      },

      'profiles.update': ({ id, draft, passphrase, unfinished }) =>
        mutex.runExclusive(id, async () => {
          const before = book.get(id);
          const read = await drafts.read(draft, before, passphrase);
          const isMoving = await leaveOrigin(before, { ...before, ...read }, unfinished);
          const isNewFile = read.clientCertificate !== before.clientCertificate;
          if (before.clientCertificate || read.clientCertificate)
            await passphrases.keep(id, read.clientCertificate, passphrase ?? (isNewFile ? '' : undefined));
          const stored = await book.update(id, (current) => ({
            ...current,
            ...read,
            // Its port is its own affair.
            baseAddress: current.isLocal ? current.baseAddress : read.baseAddress,
          }));
          // What was still to be found out at the address before, and what came in meanwhile, has nobody left to ask.
          if (isMoving) await deps.cancelUnfinished(id);
          if (stored.separator !== before.separator || stored.versionMark !== before.versionMark)
            await catalogue.setNaming(id, stored);
          forgetChoices(draft, grants);
          connections.changed(id);
          publishChanged();
          return describe(stored);
        }),

      'profiles.setToken': ({ id, token }) =>
        mutex.runExclusive(id, async () => {
          const stored = book.get(id);
          if (stored.isLocal) throw new AppFailure({ code: 'invalidInput', field: 'id', problem: 'local' });
          await tokens.set(id, tokenOriginOf(stored), cleanToken(token));
          connections.tokenChanged(id);
          await connections.check(id);
          publishChanged();
          return describe(stored);
        }),

      'profiles.remove': ({ id, removeCatalogue }) =>
        mutex.runExclusive(id, async () => {
          const { isLocal } = book.get(id);
          const wasActive = book.activeId() === id;
          await tokens.remove(id);
          await passphrases.remove(id);
          await book.remove(id, !removeCatalogue, async () => {
            await deps.onRemove(id);
            if (removeCatalogue) await catalogue.removeProfile(id);
            if (isLocal) await (removeCatalogue ? localService.erase() : localService.stop());
          });
          connections.drop(id);
          const [next] = book.list();
          if (wasActive && next) await activate(next.id);
          else if (wasActive) await book.activate(null);
          publishChanged();
          return undefined;
        }),

      'profiles.rememberShown': async ({ id, shown }) => {
        await book.update(id, (current) => ({ ...current, shownList: shown }));
        return undefined;
      },

      'profiles.activate': async ({ id }) => {
        await activate(book.get(id).id);
        return undefined;
      },

      'profiles.check': async ({ id }) => {
        book.get(id);
        await connections.check(id);
        return describe(book.get(id));
      },

      'profiles.tryLocal': async () => {
        const { baseAddress } = await localService.ensure();
        if (!book.find(localProfileId)) {
          const stored = makeLocalProfile(baseAddress, book.list());
          await book.add(stored);
          // Its id is always the same: an earlier list of it may have been closed.
          await catalogue.setNaming(stored.id, stored);
        }
        await book.activate(localProfileId);
        await connections.check(localProfileId);
        publishChanged();
        return describe(book.get(localProfileId));
      },
    },
  };
}

/** Without the line end that a pasted one brings along. Throws invalidInput for what cannot stand in a header. */
function cleanToken(token: string): string {
  const clean = token.trim();
  if (!/^[\x21-\x7e]+$/.test(clean)) {
    throw new AppFailure({ code: 'invalidInput', field: 'token', problem: 'characters' });
  }
  return clean;
}
