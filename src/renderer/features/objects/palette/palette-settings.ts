import type { Service } from '../../../../shared/domain/service.ts';
import type { Settings } from '../../../../shared/domain/settings.ts';
import { formatCount, formatRate } from '../../../../shared/i18n/format.ts';
import { languageNames, languages } from '../../../../shared/i18n/language.ts';
import type { Client } from '../../../app/client.ts';
import { showConnect } from '../../../app/place.ts';
import { paletteSetting as setting, type PaletteEntry } from '../../../app/palette-entry.ts';
import type { PaletteFacts } from '../../../app/slots.tsx';
import { sayFailure } from '../../../app/say-failure.ts';
import { connectTexts } from '../../../i18n/connect-texts.ts';
import { objectTexts } from '../../../i18n/object-texts.ts';
import { paletteTexts as texts } from '../../../i18n/keyboard-texts.ts';
import { uploadTexts } from '../../../i18n/upload-texts.ts';
import { settingsTexts } from '../../../i18n/settings-texts.ts';
import { fieldTexts } from '../../../../shared/i18n/field-texts.ts';

/** All settings, which open in Settings, and direct changes of the window's appearance. */
export function paletteSettings(
  client: Client,
  settings: Settings,
  service: Service | null,
  isMac: boolean,
  others: readonly PaletteFacts[],
): PaletteEntry[] {
  const { words } = texts;
  const { appearance, uploads, transfers, background, advanced } = settingsTexts;
  const onOff = (isOn: boolean) => (isOn ? objectTexts.palette.on : objectTexts.palette.off);
  const rate = (bytes: number | null) => (bytes === null ? settingsTexts.noLimit : formatRate(bytes));
  return [
    setting(
      appearance,
      settingsTexts.language,
      settings.language === 'system' ? settingsTexts.themes.system : languageNames[settings.language],
      languageWords(),
    ),
    setting(appearance, settingsTexts.theme, settingsTexts.themes[settings.theme], words.theme),
    setting(appearance, settingsTexts.rows, settingsTexts.densities[settings.density], words.rows),
    ...changes(client, settings),
    setting(
      transfers,
      fieldTexts.transfersAtOnce,
      settings.transfersAtOnce === null ? settingsTexts.automatic : formatCount(settings.transfersAtOnce),
      words.limit,
    ),
    setting(advanced, fieldTexts.upload, rate(settings.uploadBytesPerSecond), words.limit),
    setting(advanced, fieldTexts.download, rate(settings.downloadBytesPerSecond), words.limit),
    setting(advanced, settingsTexts.byHour, onOff(settings.limitByHour), words.hours),
    setting(transfers, settingsTexts.keepFolders, onOff(settings.keepFolders)),
    setting(uploads, uploadTexts.request, uploadTexts.kind[settings.uploadRequest]),
    setting(uploads, uploadTexts.ifExists, uploadTexts.exists[settings.uploadIfExists]),
    setting(uploads, settingsTexts.skipIdentical, onOff(settings.skipIdentical), words.identical),
    setting(
      settingsTexts.undoCopies.title,
      fieldTexts.keepFor,
      formatCount(settings.keepReplacedDays),
      words.kept,
    ),
    setting(transfers, settingsTexts.notify, onOff(settings.notifyWhenDone), words.notify),
    setting(background, settingsTexts.keepRunning, onOff(settings.keepRunning), words.background),
    setting(
      background,
      isMac ? settingsTexts.trayIconMac : settingsTexts.trayIcon,
      onOff(settings.trayIcon),
      words.background,
    ),
    setting(
      advanced,
      fieldTexts.requests,
      settings.requestsPerSecond === null ? settingsTexts.noLimit : formatCount(settings.requestsPerSecond),
      words.limit,
    ),
    setting(advanced, settingsTexts.keepAwake, onOff(settings.keepAwake), settingsTexts.keepAwakeWords),
    ...others.flatMap((each) => each.settings ?? []),
    ...(service === null
      ? []
      : [
          {
            ...setting(
              settingsTexts.services,
              connectTexts.downloadFolder,
              service.downloadFolderLabel,
              words.service,
            ),
            run: () => showConnect(service.id),
          },
        ]),
    ...others.flatMap((each) => each.settingsOfService ?? []),
  ];
}

/** So that people who cannot read the current language find theirs. */
function languageWords(): string {
  return ['Language', 'Sprache', texts.words.language, ...Object.values(languageNames)].join(' ');
}

/** Changes to every appearance but the current one. */
function changes(client: Client, settings: Settings): PaletteEntry[] {
  const change = (id: string, label: string, words: string, to: Partial<Settings>): PaletteEntry[] =>
    Object.entries(to).every(([key, value]) => settings[key as keyof Settings] === value)
      ? []
      : [
          {
            id: `change-${id}`,
            label,
            words,
            icon: 'settings',
            run: () => sayFailure(client.call('settings.update', to)),
          },
        ];
  const { words } = texts;
  return [
    ...(['system', 'light', 'dark'] as const).flatMap((theme) =>
      change(`theme-${theme}`, texts.theme[theme], words.theme, { theme }),
    ),
    ...(['regular', 'compact'] as const).flatMap((density) =>
      change(`rows-${density}`, texts.rows[density], words.rows, { density }),
    ),
    ...change('view-list', objectTexts.view.list, '', { objectView: 'list' }),
    ...change('view-grid', objectTexts.view.grid, '', { objectView: 'grid' }),
    ...change('versions-all', objectTexts.columns.allVersions, words.versions, { showAllVersions: true }),
    ...change('versions-newest', objectTexts.columns.newestOnly, words.versions, { showAllVersions: false }),
    ...change('language-system', texts.languageSystem, languageWords(), { language: 'system' }),
    ...languages.flatMap((language) =>
      change(
        `language-${language}`,
        texts.language({ name: languageNames[language] }),
        texts.words.language,
        { language },
      ),
    ),
  ];
}
