import { z } from 'zod';
import { collator } from '../../shared/i18n/intl.ts';
import { AppFailure } from '../../shared/errors.ts';
import { profileSchema } from '../../shared/domain/service.ts';
import { shownListSchema } from '../../shared/domain/shown-list.ts';
import type { Documents } from '../storage/database.ts';
import { openCollection, readCollection } from '../database/collection.ts';
import type { Log } from '../ports.ts';
import { Mutex } from '../lib/async.ts';
import { originOf } from './origins.ts';

/** What is written down of a profile. Never its token. */
export const storedProfileSchema = profileSchema
  .omit({
    authority: true,
    clientCertificate: true,
    downloadFolderLabel: true,
    connection: true,
    trouble: true,
    tokenKept: true,
  })
  .extend({
    /** The PFX file as it was when it was chosen (base64), and its SHA-256. What opens it lies in the keychain. */
    clientCertificate: z.object({ fileName: z.string(), digest: z.string(), pfx: z.string() }).nullable(),
    /** The extra CA file as it was when it was chosen. */
    authority: z
      .object({ fileName: z.string(), subject: z.string(), fingerprint: z.string(), pem: z.string() })
      .nullable(),
    /** Absolute; null: a folder of the profile's name among the downloads. */
    downloadFolder: z.string().nullable(),
    /** A place that does not fit any more is forgotten, and not the profile. */
    shownList: shownListSchema.optional().catch(undefined),
  });
export type StoredProfile = z.infer<typeof storedProfileSchema>;

/** The profiles, in memory and in the database. Each change is of what is there at its turn. */
export interface ProfileBook {
  /** By name. */
  list(): StoredProfile[];
  /** @throws AppFailure notFound (profile): also from the moment at which its removal has begun */
  get(id: string): StoredProfile;
  find(id: string): StoredProfile | undefined;
  /** @throws AppFailure nameTaken */
  add(profile: StoredProfile): Promise<void>;
  /** @throws AppFailure notFound (profile), nameTaken */
  update(id: string, change: (current: StoredProfile) => StoredProfile): Promise<StoredProfile>;
  /**
   * Nothing can be written for it any more when `clear` begins. When `clear` fails, the profile is there again.
   * @param keepsList its list of objects stays, and is found again by `findKept`
   * @param clear removes what there is of it elsewhere
   * @throws AppFailure notFound (profile), and what `clear` throws
   */
  remove(id: string, keepsList: boolean, clear: () => Promise<void>): Promise<void>;
  /** The id of a removed profile whose list was kept, by its address. @throws AppFailure badAddress */
  findKept(baseAddress: string): Promise<string | null>;
  activeId(): string | null;
  activate(id: string | null): Promise<void>;
  /** @param exceptId the profile that may have this name @throws AppFailure nameTaken */
  requireFreeName(name: string, exceptId: string | null): void;
}

/** Reads all profiles. One that does not fit any more is passed over, not deleted. */
export async function openProfileBook(documents: Documents, log: Log): Promise<ProfileBook> {
  const profiles = await readCollection(documents, 'profiles', storedProfileSchema, (profileId, error) => {
    log.error('a stored profile cannot be read', { profileId, issue: error.issues[0]?.path });
  });
  const mutex = new Mutex();
  const app = await openCollection(documents, 'app', z.string().nullable());

  /** All changes of the book go one after the other: names are free or taken among all of them. */
  function change<T>(work: () => Promise<T>): Promise<T> {
    return mutex.runExclusive(work);
  }

  function get(id: string): StoredProfile {
    const profile = profiles.get(id);
    if (!profile) throw new AppFailure({ code: 'notFound', what: 'profile' });
    return profile;
  }

  function requireFreeName(name: string, exceptId: string | null): void {
    const fold = (text: string) => text.normalize('NFKC').toLowerCase();
    const isTaken = [...profiles.values()].some(
      (other) => other.id !== exceptId && fold(other.name) === fold(name),
    );
    if (isTaken) throw new AppFailure({ code: 'nameTaken', name });
  }

  return {
    list: () => [...profiles.values()].sort((a, b) => collator().compare(a.name, b.name)),
    find: (id) => profiles.get(id),
    get,
    requireFreeName,
    add: (profile) =>
      change(async () => {
        requireFreeName(profile.name, profile.id);
        await documents.put('profiles', profile.id, profile);
        await documents.delete('keptLists', profile.id);
        profiles.set(profile.id, profile);
      }),
    update: (id, next) =>
      change(async () => {
        const profile = next(get(id));
        requireFreeName(profile.name, id);
        await documents.put('profiles', id, profile);
        profiles.set(id, profile);
        return profile;
      }),
    async remove(id, keepsList, clear) {
      // In its turn: what is being written was written then, and whatever comes after finds no profile.
      const profile = await change(async () => {
        const found = get(id);
        profiles.delete(id);
        return found;
      });
      try {
        await clear();
        await change(async () => {
          // The built-in service has one id for ever, and an address that changes.
          if (keepsList && !profile.isLocal) await documents.put('keptLists', id, originOf(profile));
          await documents.delete('profiles', id);
        });
      } catch (cause) {
        profiles.set(id, profile);
        throw cause;
      }
    },
    async findKept(baseAddress) {
      const origin = originOf({ isLocal: false, baseAddress });
      const kept = await documents.list('keptLists');
      return kept.find(({ value }) => value === origin)?.key ?? null;
    },
    activeId() {
      const id = app.get('activeProfile') ?? null;
      return id !== null && profiles.has(id) ? id : null;
    },
    activate: (id) => app.set('activeProfile', id),
  };
}
