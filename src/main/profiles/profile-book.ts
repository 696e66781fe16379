import { z } from 'zod';
import { AppFailure } from '../../shared/errors.ts';
import { profileSchema, requestSchema } from '../../shared/domain/profile.ts';
import type { Documents } from '../catalogue/catalogue.ts';
import type { Log } from '../ports.ts';
import { parseBaseAddress } from '../service/base-address.ts';

/** What is written down of a profile. Never its token. */
export const storedProfileSchema = profileSchema
  .omit({ authority: true, downloadFolderLabel: true, connection: true, tokenKept: true })
  .extend({
    /** The extra CA file as it was when it was chosen. */
    authority: z
      .object({ fileName: z.string(), subject: z.string(), fingerprint: z.string(), pem: z.string() })
      .nullable(),
    /** Absolute; null: a folder of the profile's name among the downloads. */
    downloadFolder: z.string().nullable(),
    /** Profiles of before there was a choice have none. */
    request: requestSchema.default('direct'),
  });
export type StoredProfile = z.infer<typeof storedProfileSchema>;

/** The profiles, in memory and in the database. */
export interface ProfileBook {
  /** By name. */
  list(): StoredProfile[];
  /** @throws AppFailure notFound (profile) */
  get(id: string): StoredProfile;
  find(id: string): StoredProfile | undefined;
  put(profile: StoredProfile): Promise<void>;
  /** @param keepsList its list of objects stays, and is found again by `findKept` */
  remove(id: string, keepsList: boolean): Promise<void>;
  /** The id of a removed profile whose list was kept, by its address. @throws AppFailure badAddress */
  findKept(baseAddress: string): Promise<string | null>;
  activeId(): string | null;
  activate(id: string | null): Promise<void>;
}

/** Reads all profiles. One that does not fit any more is passed over, not deleted. */
export async function openProfileBook(documents: Documents, log: Log): Promise<ProfileBook> {
  const profiles = new Map<string, StoredProfile>();
  for (const { key, value } of await documents.list('profiles')) {
    const parsed = storedProfileSchema.safeParse(value);
    if (parsed.success) profiles.set(key, parsed.data);
    else
      log.error('a stored profile cannot be read', { profileId: key, issue: parsed.error.issues[0]?.path });
  }
  let activeId = z
    .string()
    .nullable()
    .catch(null)
    .parse(await documents.get('app', 'activeProfile'));
  if (activeId !== null && !profiles.has(activeId)) activeId = null;

  return {
    list: () => [...profiles.values()].sort((a, b) => a.name.localeCompare(b.name)),
    find: (id) => profiles.get(id),
    get(id) {
      const profile = profiles.get(id);
      if (!profile) throw new AppFailure({ code: 'notFound', what: 'profile' });
      return profile;
    },
    async put(profile) {
      await documents.put('profiles', profile.id, profile);
      await documents.delete('keptLists', profile.id);
      profiles.set(profile.id, profile);
    },
    async remove(id, keepsList) {
      const profile = profiles.get(id);
      // The built-in service has one id for ever, and an address that changes.
      if (profile && keepsList && !profile.isLocal) {
        await documents.put('keptLists', id, placeOf(profile.baseAddress));
      }
      await documents.delete('profiles', id);
      profiles.delete(id);
    },
    async findKept(baseAddress) {
      const place = placeOf(baseAddress);
      const kept = await documents.list('keptLists');
      return kept.find(({ value }) => value === place)?.key ?? null;
    },
    activeId: () => activeId,
    async activate(id) {
      await documents.put('app', 'activeProfile', id);
      activeId = id;
    },
  };
}

function placeOf(baseAddress: string): string {
  const { origin, prefix } = parseBaseAddress(baseAddress, true);
  return origin + prefix;
}
