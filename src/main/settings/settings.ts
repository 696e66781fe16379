import { z } from 'zod';
import { applyLanguage, chooseLanguage } from '../../shared/i18n/language.ts';
import { settingsDefault, settingsSchema, type Settings } from '../../shared/domain/settings.ts';
import type { Handlers } from '../../shared/contract.ts';
import type { Documents } from '../database/documents.ts';
import { Emitter } from '../lib/emitter.ts';
import type { Appearance, Publisher } from '../ports.ts';

export interface SettingsService {
  readonly handlers: Pick<Handlers, 'settings.get' | 'settings.update'>;
  current(): Settings;
  /** A change took effect. */
  readonly onChanged: (listener: () => void) => () => void;
}

/**
 * Reads the settings and applies theme and language. A stored value that is no longer valid is replaced by its
 * default.
 */
export async function createSettings(deps: {
  documents: Documents;
  appearance: Appearance;
  systemLanguages: readonly string[];
  publisher: Publisher;
}): Promise<SettingsService> {
  const { documents, publisher } = deps;
  const changed = new Emitter<[]>();
  let settings = overlay(settingsDefault, migrated(await documents.get('settings', 'settings')));
  await apply();

  async function apply(): Promise<void> {
    deps.appearance.setTheme(settings.theme);
    await applyLanguage(chooseLanguage(settings.language, deps.systemLanguages));
  }

  return {
    current: () => settings,
    onChanged: changed.event,
    handlers: {
      'settings.get': () => settings,
      'settings.update': async (change) => {
        settings = overlay(settings, change);
        await apply();
        publisher.publish('settings.changed', settings);
        changed.fire();
        await documents.put('settings', 'settings', settings);
        return settings;
      },
    },
  };
}

const keySchema = settingsSchema.keyof();

/**
 * Former versions stored their default of 4 files at once with every change: it becomes automatic. Their settings are told by a key
 * that is no longer written, so a 4 that was chosen since stays.
 */
function migrated(stored: unknown): unknown {
  const former = z.looseObject({ transfersAtOnce: z.literal(4), jobRequestsPerSecond: z.number() });
  const found = former.safeParse(stored);
  return found.success ? { ...found.data, transfersAtOnce: null } : stored;
}

/** Key by key, so that one invalid value does not lose the others. */
function overlay(base: Settings, change: unknown): Settings {
  const values = z.record(z.string(), z.unknown()).catch({}).parse(change);
  const fitting = Object.entries(values).filter(([key, value]) => {
    const known = keySchema.safeParse(key);
    return known.success && settingsSchema.shape[known.data].safeParse(value).success;
  });
  return settingsSchema.parse({ ...base, ...Object.fromEntries(fitting) });
}
