import type { Command } from '../../../shared/contract.ts';
import type { ObjectKind } from '../../../shared/domain/object.ts';
import type { Profile } from '../../../shared/domain/profile.ts';
import type { Settings } from '../../../shared/domain/settings.ts';
import { runCommand } from '../../app/commands.ts';
import { keysOf } from '../../app/key-bindings.ts';
import { showPlace, showSettings } from '../../app/place.ts';
import { formatCount, formatCounted } from '../../i18n/format.ts';
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
  const objects = formatCounted(selected, 'object', 'objects');
  const command = (id: Command, label: string, icon: IconName): PaletteEntry => ({
    id,
    label,
    icon,
    keys: keysOf(id),
    run: () => void runCommand(id),
  });
  return [
    command('upload', 'Upload files…', 'upload'),
    command('uploadFolder', 'Upload folder…', 'folder'),
    command('newSecret', 'New secret…', 'key'),
    command('addKnown', 'Add known identifiers…', 'plus'),
    ...(list === 'data' && selected > 0
      ? [
          command('download', `Download ${objects}`, 'download'),
          command('downloadDeferred', `Download ${objects} deferred`, 'deferred'),
          command('check', `Check ${objects}`, 'refresh'),
          command('delete', `Delete ${objects}…`, 'trash'),
        ]
      : []),
    ...(isListShown
      ? [
          command('selectAll', 'Select all', 'check'),
          command('search', list === 'secret' ? 'Search secrets' : 'Search objects', 'search'),
        ]
      : []),
    command('dock.details', 'Show details', 'text'),
    command('dock.transfers', 'Show transfers', 'moves'),
    command('dock.jobs', 'Show jobs', 'deferred'),
    command('dock.toggle', 'Show or hide activity', 'panel'),
    { id: 'all', label: 'All objects', icon: 'all', run: () => showPlace({ kind: 'all' }) },
    { id: 'secrets', label: 'Secrets', icon: 'key', run: () => showPlace({ kind: 'all' }, 'secret') },
    { id: 'gone', label: 'Gone', icon: 'gone', run: () => showPlace({ kind: 'gone' }) },
    command('settings', 'Settings', 'settings'),
  ];
}

export function paletteSettings(settings: Settings, profile: Profile | null): PaletteEntry[] {
  const words = { system: 'System', light: 'Light', dark: 'Dark', regular: 'Regular', compact: 'Compact' };
  const setting = (label: string, value: string): PaletteEntry => ({
    id: label,
    label,
    value,
    icon: 'settings',
    run: showSettings,
  });
  return [
    setting('Theme', words[settings.theme]),
    setting('Density of rows', words[settings.density]),
    setting('Transfers at once', formatCount(settings.transfersAtOnce)),
    setting('Requests per second', formatCount(settings.jobRequestsPerSecond)),
    setting('Keep running in the background', settings.keepRunning ? 'On' : 'Off'),
    setting('Notify when done', settings.notifyWhenDone ? 'On' : 'Off'),
    ...(profile === null ? [] : [setting('Download folder', profile.downloadFolderLabel)]),
  ];
}
