import { randomUUID } from 'node:crypto';
import { stat } from 'node:fs/promises';
import type { Handlers } from '../../shared/contract.ts';
import {
  identifierTemplateDefault,
  separatorDefault,
  type IfExists,
  type Profile,
  type ProfileDraft,
  type RequestKind,
} from '../../shared/domain/profile.ts';
import { AppFailure } from '../../shared/errors.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { Grants } from '../files/grants.ts';
import { localProfileId, type LocalService } from '../local/local-service.ts';
import type { Clock, Paths, Publisher } from '../ports.ts';
import { parseBaseAddress } from '../service/base-address.ts';
import { readAuthority } from './authority.ts';
import { downloadFolderOf, shortenHome } from './download-folder.ts';
import type { OpenConnections } from './open-connections.ts';
import type { ProfileBook, StoredProfile } from './profile-book.ts';
import { testConnection } from './test-connection.ts';
import type { Tokens } from './tokens.ts';

type Name = 'list' | 'test' | 'add' | 'update' | 'setToken' | 'remove' | 'activate' | 'check' | 'tryLocal';

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
  /** Made with an `onChanged` that calls `publishChanged` of the result. */
  connections: OpenConnections;
  localService: LocalService;
  catalogue: Pick<Catalogue, 'setSeparator' | 'removeProfile'>;
  grants: Grants;
  paths: Pick<Paths, 'downloads' | 'home'>;
  clock: Clock;
  publisher: Publisher;
  /** A profile goes: what works for it ends before its rows do. */
  onRemove: (profileId: string) => Promise<void>;
}): Profiles {
  const { book, tokens, connections, localService, catalogue, grants, paths, clock, publisher } = deps;
  let revision = 0;

  function publishChanged(): void {
    publisher.publish('profiles.changed', { revision: ++revision });
  }

  function describe(stored: StoredProfile): Profile {
    const { downloadFolder: _folder, authority, ...same } = stored;
    return {
      ...same,
      authority: authority && {
        fileName: authority.fileName,
        subject: authority.subject,
        fingerprint: authority.fingerprint,
      },
      downloadFolderLabel: shortenHome(downloadFolderOf(stored, paths), paths.home),
      connection: connections.stateOf(stored.id),
      tokenKept: tokens.keptIn(stored.id),
    };
  }

  /** The draft with its grants resolved. Throws badAuthorityFile, notFound (grant), invalidInput. */
  async function resolveChoices(draft: ProfileDraft, before: StoredProfile | undefined) {
    return {
      authority: await resolveAuthority(draft, before),
      downloadFolder: await resolveFolder(draft, before),
    };
  }

  async function resolveAuthority({ authority }: ProfileDraft, before: StoredProfile | undefined) {
    if (authority.kind === 'keep') return before?.authority ?? null;
    return authority.kind === 'grant' ? readAuthority(grants.resolve(authority.grant)) : null;
  }

  async function resolveFolder({ downloadFolder }: ProfileDraft, before: StoredProfile | undefined) {
    if (downloadFolder.kind === 'keep') return before?.downloadFolder ?? null;
    if (downloadFolder.kind === 'none') return null;
    const path = grants.resolve(downloadFolder.grant);
    const found = await stat(path).catch(() => null);
    if (!found?.isDirectory()) {
      throw new AppFailure({ code: 'invalidInput', field: 'downloadFolder', problem: 'notAFolder' });
    }
    return path;
  }

  /** Writes a profile down. Throws nameTaken and what `resolveChoices` throws. */
  async function save(
    id: string,
    draft: ProfileDraft,
    before: StoredProfile | undefined,
  ): Promise<StoredProfile> {
    const isLocal = before?.isLocal ?? false;
    const baseAddress = isLocal && before ? before.baseAddress : draft.baseAddress;
    parseBaseAddress(baseAddress, draft.insecureAllowed);
    const choices = await resolveChoices(draft, before);
    const { ifExists = 'ask', request = 'direct' } = before ?? {};
    const stored: StoredProfile = { ...draft, ...choices, id, isLocal, baseAddress, ifExists, request };
    await put(stored);
    for (const choice of [draft.authority, draft.downloadFolder]) {
      if (choice.kind === 'grant') grants.forget([choice.grant]);
    }
    return stored;
  }

  async function put(stored: StoredProfile): Promise<void> {
    requireFreeName(stored.id, stored.name);
    const separatorBefore = book.find(stored.id)?.separator ?? separatorDefault;
    await book.put(stored);
    if (stored.separator !== separatorBefore) await catalogue.setSeparator(stored.id, stored.separator);
  }

  function requireFreeName(id: string, name: string): void {
    const fold = (text: string) => text.normalize('NFKC').toLowerCase();
    const isTaken = book.list().some((other) => other.id !== id && fold(other.name) === fold(name));
    if (isTaken) throw new AppFailure({ code: 'nameTaken', name });
  }

  async function activate(id: string): Promise<void> {
    await book.activate(id);
    publishChanged();
    void connections.check(id);
  }

  /** A token goes to the origin it was entered for and to no other. */
  async function keptTokenFor(profile: StoredProfile, baseAddress: string): Promise<string | null> {
    if (!isSameOrigin(profile.baseAddress, baseAddress)) return null;
    await tokens.load(profile.id);
    return tokens.read(profile.id);
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
      await book.put({ ...book.get(profileId), ifExists, request });
      publishChanged();
    },
    countKeptTokens: () => book.list().filter(({ id }) => tokens.keptIn(id) === 'keychain').length,

    handlers: {
      'profiles.list': () => ({ revision, profiles: book.list().map(describe), activeId: book.activeId() }),

      'profiles.test': async ({ draft, token, profileId }) => {
        const before = profileId === null ? undefined : book.get(profileId);
        const usedToken = token?.trim() ?? (before ? await keptTokenFor(before, draft.baseAddress) : null);
        const { baseAddress, insecureAllowed } = draft;
        const authority = await resolveAuthority(draft, before);
        return testConnection(
          { baseAddress, insecureAllowed, getToken: () => usedToken, authorities: authority?.pem },
          clock,
        );
      },

      'profiles.add': async ({ draft, token }) => {
        requireFreeName('', draft.name);
        const usable = cleanToken(token);
        // The same service again finds the list that was kept of it.
        const keptId = await book.findKept(draft.baseAddress);
        const stored = await save(keptId ?? randomUUID(), draft, undefined);
        if (keptId !== null) await catalogue.setSeparator(keptId, stored.separator);
        await tokens.set(stored.id, usable);
        if (book.activeId() === null) await book.activate(stored.id);
        void connections.check(stored.id);
        publishChanged();
        return describe(stored);
      },

      'profiles.update': async ({ id, draft }) => {
        const before = book.get(id);
        const stored = await save(id, draft, before);
        if (!isSameOrigin(before.baseAddress, stored.baseAddress)) {
          // A token that stays in the keychain must not go to the new origin: then the address stays too.
          await tokens.remove(id).catch(async (cause: unknown) => {
            await put(before);
            throw cause;
          });
        }
        connections.drop(id);
        void connections.check(id);
        publishChanged();
        return describe(stored);
      },

      'profiles.setToken': async ({ id, token }) => {
        const stored = book.get(id);
        if (stored.isLocal) throw new AppFailure({ code: 'invalidInput', field: 'id', problem: 'local' });
        await tokens.set(id, cleanToken(token));
        connections.tokenChanged(id);
        await connections.check(id);
        publishChanged();
        return describe(stored);
      },

      'profiles.remove': async ({ id, removeCatalogue }) => {
        const { isLocal } = book.get(id);
        await tokens.remove(id);
        await deps.onRemove(id);
        if (removeCatalogue) await catalogue.removeProfile(id);
        if (isLocal) await (removeCatalogue ? localService.erase() : localService.stop());
        await book.remove(id, !removeCatalogue);
        connections.drop(id);
        const [next] = book.list();
        if (book.activeId() === id && next) await activate(next.id);
        else if (book.activeId() === id) await book.activate(null);
        publishChanged();
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
          const stored = makeLocalProfile(baseAddress, freeLocalName());
          await put(stored);
          // Its id is always the same: an earlier list of it may have been closed.
          await catalogue.setSeparator(stored.id, stored.separator);
        }
        await book.activate(localProfileId);
        await connections.check(localProfileId);
        publishChanged();
        return describe(book.get(localProfileId));
      },
    },
  };

  function freeLocalName(): string {
    const taken = new Set(book.list().map((profile) => profile.name.toLowerCase()));
    let name = 'This computer';
    for (let number = 2; taken.has(name.toLowerCase()); number += 1) name = `This computer ${number}`;
    return name;
  }
}

/** Without the line end that a pasted one brings along. Throws invalidInput for what cannot stand in a header. */
function cleanToken(token: string): string {
  const clean = token.trim();
  if (!/^[\x21-\x7e]+$/.test(clean)) {
    throw new AppFailure({ code: 'invalidInput', field: 'token', problem: 'characters' });
  }
  return clean;
}

function isSameOrigin(address: string, other: string): boolean {
  const origin = URL.parse(address)?.origin;
  return origin !== undefined && origin === URL.parse(other)?.origin;
}

function makeLocalProfile(baseAddress: string, name: string): StoredProfile {
  return {
    id: localProfileId,
    name,
    baseAddress,
    isLocal: true,
    insecureAllowed: false,
    maxObjectBytes: null,
    maxSecretBytes: null,
    authority: null,
    downloadFolder: null,
    // Relative to the base address, whose port changes.
    classificationSource: { kind: 'address', address: '/api/classifications' },
    identifierTemplate: identifierTemplateDefault,
    separator: separatorDefault,
    ifExists: 'ask',
    request: 'direct',
  };
}
