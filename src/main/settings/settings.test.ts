import { afterEach, describe, expect, it } from 'vitest';
import { chooseLanguage, languageInForce, setLanguage } from '../../shared/i18n/language.ts';
import { settingsDefault } from '../../shared/domain/settings.ts';
import { createSettings } from './settings.ts';
import type { Theme } from '../ports.ts';
import { openTestDatabase } from '../../../test-support/main/test-ports.ts';

async function open(stored?: unknown) {
  const { documents } = await openTestDatabase();
  if (stored !== undefined) await documents.put('settings', 'settings', stored);
  const themes: Theme[] = [];
  const published: unknown[] = [];
  const settings = await createSettings({
    documents,
    appearance: { setTheme: (theme) => themes.push(theme) },
    systemLanguages: ['de-AT'],
    publisher: { publish: (event, payload) => published.push([event, payload]) },
  });
  return { documents, themes, published, settings };
}

afterEach(() => setLanguage(chooseLanguage('en', [])));

it('applies the language at once: the system’s, or the chosen one', async () => {
  const { settings } = await open();
  expect(languageInForce().locale).toBe('de-AT');
  await settings.handlers['settings.update']({ language: 'ar' });
  expect(languageInForce()).toMatchObject({ language: 'ar', direction: 'rtl' });
});

it('starts with the defaults', async () => {
  const { settings, themes } = await open();
  expect(settings.current()).toEqual(settingsDefault);
  expect(themes).toEqual(['system']);
});

it('changes one setting, keeps the others, announces and stores it', async () => {
  const { settings, documents, themes, published } = await open({ ...settingsDefault, density: 'compact' });
  const expected = { ...settingsDefault, density: 'compact', theme: 'dark' };
  expect(await settings.handlers['settings.update']({ theme: 'dark', dockOpen: undefined })).toEqual(
    expected,
  );
  expect(themes).toEqual(['system', 'dark']);
  expect(published).toEqual([['settings.changed', expected]]);
  expect(await documents.get('settings', 'settings')).toEqual(expected);
});

it.each([['junk'], [null], [[1, 2]], [{ theme: 'pink', unknownKey: 1, transfersAtOnce: 65 }]])(
  'replaces invalid values by defaults: %j',
  async (stored) => {
    expect((await open(stored)).settings.current()).toEqual(settingsDefault);
  },
);

it('reads settings of versions that could switch folders off', async () => {
  const { settings } = await open({ ...settingsDefault, showFolders: false, density: 'compact' });
  expect(settings.current()).toEqual({ ...settingsDefault, density: 'compact' });
});

it('keeps valid values beside invalid ones', async () => {
  const { settings } = await open({ theme: 'pink', transfersAtOnce: 2 });
  expect(settings.current()).toEqual({ ...settingsDefault, transfersAtOnce: 2 });
});

describe('files at once in settings of former versions', () => {
  const former = { ...settingsDefault, transfersAtOnce: 4, jobRequestsPerSecond: 4 };

  it('become automatic where they are the former default', async () => {
    const { settings } = await open(former);
    expect(settings.current()).toEqual(settingsDefault);
  });

  it('stay where they were changed', async () => {
    const { settings } = await open({ ...former, transfersAtOnce: 3 });
    expect(settings.current()).toEqual({ ...settingsDefault, transfersAtOnce: 3 });
  });

  it('stay as chosen since, also if that is the former default', async () => {
    const { settings, documents } = await open(former);
    await settings.handlers['settings.update']({ transfersAtOnce: 4 });
    const { settings: next } = await open(await documents.get('settings', 'settings'));
    expect(next.current()).toEqual({ ...settingsDefault, transfersAtOnce: 4 });
  });
});
