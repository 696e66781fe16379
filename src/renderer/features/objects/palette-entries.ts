import { languageNames } from '../../../shared/i18n/language.ts';
import { commonTexts } from '../../i18n/common-texts.ts';
import { connectTexts } from '../../i18n/connect-texts.ts';
import { objectTexts } from '../../i18n/object-texts.ts';
import { secretTexts } from '../../i18n/secret-texts.ts';
import { shortcutTexts } from '../../i18n/shortcut-texts.ts';
import { settingsTexts } from '../../i18n/settings-texts.ts';
import type { Command } from '../../../shared/contract.ts';
import type { ObjectKind } from '../../../shared/domain/object.ts';
import type { Profile } from '../../../shared/domain/profile.ts';
import type { Settings } from '../../../shared/domain/settings.ts';
import { runCommand } from '../../app/commands.ts';
import { keysOf } from '../../app/key-bindings.ts';
import { showPlace, showSettings } from '../../app/place.ts';
import { formatCount } from '../../../shared/i18n/format.ts';
import type { IconName } from '../../ui/icons.tsx';

export type PaletteEntry = {
  id: string;
  label: string;
  icon: IconName;
  keys?: string | undefined;
  /** At the right: the value of a setting. */
  value?: string;
  run: () => void;
};

/**
 * What needs a selection, or the list to be there, is left out without it.
 * @param selected how many rows
 * @param list of which kind the list that is shown is; null: none is shown
 */
export function paletteActions(selected: number, list: ObjectKind | null): PaletteEntry[] {
  const isListShown = list !== null;
  const { act, palette, place } = objectTexts;
  const count = { count: selected };
  const command = (id: Command, label: string, icon: IconName): PaletteEntry => ({
    id,
    label,
    icon,
    keys: keysOf(id),
    run: () => void runCommand(id),
  });
  return [
    command('upload', act.uploadFiles, 'upload'),
    command('uploadFolder', act.uploadFolder, 'folder'),
    command('newSecret', act.newSecret, 'key'),
    command('addKnown', act.addKnown, 'plus'),
    ...(list === 'data' && selected > 0
      ? [
          command('download', act.downloadMany(count), 'download'),
          command('downloadDeferred', act.downloadDeferredMany(count), 'deferred'),
          command('check', act.checkMany(count), 'refresh'),
          command('delete', act.deleteMany(count), 'trash'),
        ]
      : []),
    ...(isListShown
      ? [
          command('selectAll', act.selectAll, 'check'),
          command('search', list === 'secret' ? secretTexts.search : objectTexts.search, 'search'),
        ]
      : []),
    command('dock.details', commonTexts.showDetails, 'text'),
    command('dock.transfers', palette.showTransfers, 'moves'),
    command('dock.jobs', palette.showJobs, 'deferred'),
    command('dock.toggle', palette.toggleActivity, 'panel'),
    { id: 'all', label: place.all, icon: 'all', run: () => showPlace({ kind: 'all' }) },
    { id: 'secrets', label: secretTexts.label, icon: 'key', run: () => showPlace({ kind: 'all' }, 'secret') },
    { id: 'gone', label: place.gone, icon: 'gone', run: () => showPlace({ kind: 'gone' }) },
    command('settings', palette.groupSettings, 'settings'),
    command('shortcuts', shortcutTexts.title, 'keyboard'),
  ];
}

export function paletteSettings(settings: Settings, profile: Profile | null): PaletteEntry[] {
  const { palette } = objectTexts;
  const onOff = (isOn: boolean) => (isOn ? palette.on : palette.off);
  const setting = (label: string, value: string): PaletteEntry => ({
    id: label,
    label,
    value,
    icon: 'settings',
    run: showSettings,
  });
  return [
    setting(
      settingsTexts.language,
      settings.language === 'system' ? settingsTexts.themes.system : languageNames[settings.language],
    ),
    setting(settingsTexts.theme, settingsTexts.themes[settings.theme]),
    setting(palette.density, settingsTexts.densities[settings.density]),
    setting(settingsTexts.atOnce, formatCount(settings.transfersAtOnce)),
    setting(settingsTexts.requestsPerSecond, formatCount(settings.jobRequestsPerSecond)),
    setting(settingsTexts.keepRunning, onOff(settings.keepRunning)),
    setting(settingsTexts.notify, onOff(settings.notifyWhenDone)),
    ...(profile === null ? [] : [setting(connectTexts.downloadFolder, profile.downloadFolderLabel)]),
  ];
}
