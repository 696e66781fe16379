import type { IndexSource } from '../index-source.ts';
import type { StoredProfile } from '../object-store.ts';
import { ProfileIndex, type Pace } from './service-index.ts';

/** The active profile and the one before. */
const indexesMax = 2;

/** The indexes in memory, the least used given up for another. */
export class ProfileIndexes {
  readonly #source: IndexSource;
  readonly #profile: (profileId: string) => StoredProfile | null;
  readonly #pace: Pace;
  readonly #indexes = new Map<string, ProfileIndex>();

  constructor(source: IndexSource, profile: (profileId: string) => StoredProfile | null, pace: Pace) {
    this.#source = source;
    this.#profile = profile;
    this.#pace = pace;
  }

  get(profileId: string): ProfileIndex | undefined {
    return this.#indexes.get(profileId);
  }

  /** The index, whole and as of now; null when there is no such profile. */
  async whole(profileId: string): Promise<ProfileIndex | null> {
    for (;;) {
      const profile = this.#profile(profileId);
      if (profile === null) return null;
      const index = this.started(profileId, profile);
      await index.ready;
      if (this.#indexes.get(profileId) === index) return index;
    }
  }

  /** The index, which may still be reading. */
  started(profileId: string, profile: StoredProfile): ProfileIndex {
    const known = this.#indexes.get(profileId);
    const index = known === undefined || known.isWorn ? this.#start(profileId, profile) : known;
    this.#indexes.delete(profileId);
    this.#indexes.set(profileId, index);
    for (const oldest of this.#indexes.keys()) {
      if (this.#indexes.size <= indexesMax) break;
      this.drop(oldest);
    }
    return index;
  }

  drop(profileId: string): void {
    this.#indexes.get(profileId)?.stop();
    this.#indexes.delete(profileId);
  }

  dropAll(): void {
    for (const profileId of this.#indexes.keys()) this.drop(profileId);
  }

  #start(profileId: string, profile: StoredProfile): ProfileIndex {
    this.drop(profileId);
    const index = new ProfileIndex(this.#source, profile, this.#pace);
    index.ready.catch(() => {
      // Whoever waits is told; the next one reads again.
      if (this.#indexes.get(profileId) === index) this.drop(profileId);
    });
    return index;
  }
}
