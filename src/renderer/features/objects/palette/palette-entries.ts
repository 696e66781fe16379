import type { Undoable } from '../../../../shared/contract.ts';
import type { ObjectKind } from '../../../../shared/domain/object.ts';
import type { Service } from '../../../../shared/domain/service.ts';
import type { Client } from '../../../app/client.ts';
import { paletteCommand as command, type PaletteEntry } from '../../../app/palette-entry.ts';
import type { PaletteFacts } from '../../../app/slots.tsx';
import { showConnect, showPlace, showSettings } from '../../../app/place.ts';
import { sayFailure } from '../../../app/say-failure.ts';
import { appTexts } from '../../../i18n/app-texts.ts';
import { commonTexts } from '../../../i18n/common-texts.ts';
import { folderTexts } from '../../../i18n/folder-texts.ts';
import { objectTexts } from '../../../i18n/object-texts.ts';
import { paletteTexts as texts, shortcutTexts } from '../../../i18n/keyboard-texts.ts';
import { secretTexts } from '../../../i18n/secret-texts.ts';
import { settingsTexts } from '../../../i18n/settings-texts.ts';
import type { IconName } from '../../../ui/icons.tsx';
import { dockTexts } from '../../../i18n/dock-texts.ts';

export type PaletteGroup = { name: string; entries: PaletteEntry[] };

/**
 * Leaves out actions that need a selection or the list if there is none.
 * @param selected number of objects, and whether it is a single row of the list
 * @param list the kind of the open list; null: none
 * @param isOnlyShown *Open* shows the selected object in its folder
 * @param undo what would be undone next; undefined: nothing
 * @param others entries of optional features
 * @param favourite of the open place or search; null: it cannot be one
 */
export function paletteActions(
  selected: { count: number; isRow: boolean },
  list: ObjectKind | null,
  isOnlyShown: boolean,
  undo: Undoable | undefined,
  others: readonly PaletteFacts[],
  favourite: { label: string; isKept: boolean; toggle: () => void } | null,
): PaletteGroup[] {
  const { act, palette, place } = objectTexts;
  const { groups, words } = texts;
  const count = { count: selected.count };
  const go = (id: string, label: string, icon: IconName, run: () => void, by?: string): PaletteEntry => ({
    id,
    label,
    icon,
    words: by,
    run,
  });
  return [
    {
      name: objectTexts.selection.label,
      entries:
        list === 'data' && selected.count > 0
          ? [
              ...(selected.isRow
                ? [
                    isOnlyShown
                      ? command('open', act.showCopy, 'folder', words.open)
                      : command('open', commonTexts.openFile, 'file', words.open),
                    command('edit', act.edit, 'pencil', words.edit),
                    command('look', objectTexts.look.title, 'eye', words.open),
                    command('saveAs', commonTexts.saveAs, 'download', words.download),
                    command('copyLink', act.copyLink, 'link'),
                  ]
                : []),
              command('download', act.downloadMany(count), 'download', words.download),
              command('downloadDeferred', act.downloadDeferredMany(count), 'deferred', words.download),
              command('copyFiles', act.copyFiles(count), 'copy'),
              command('copyIdentifiers', commonTexts.copyIdentifiers(count), 'copy'),
              command('reclassify', act.reclassify, 'tag'),
              command('check', act.checkMany(count), 'refresh', words.check),
              command('move', selected.isRow ? act.rename : act.moveMany(count), 'folder', words.move),
              command('delete', act.deleteMany(count), 'trash', words.delete),
            ]
          : [],
    },
    {
      name: palette.groupActions,
      entries: [
        ...(undo === undefined ? [] : [command('undo', texts.undo[undo], 'undo', words.undo)]),
        command('upload', act.uploadFiles, 'upload', words.upload),
        command('uploadFolder', act.uploadFolder, 'folder', words.upload),
        command('newFolder', folderTexts.new, 'folder', words.newFolder),
        ...others.flatMap((each) => each.actions ?? []),
        command('newSecret', act.newSecret, 'key', words.secrets),
        command('addKnown', act.addKnown, 'plus', words.addKnown),
        ...(list === null ? [] : [command('selectAll', act.selectAll, 'check')]),
        ...(favourite === null
          ? []
          : [go('favourite', favourite.label, favourite.isKept ? 'starred' : 'star', favourite.toggle)]),
        command('importList', texts.importList, 'dn', words.importList),
        go('export', texts.exportList, 'up', () => showSettings(settingsTexts.export), words.exportList),
      ],
    },
    {
      name: groups.goTo,
      entries: [
        ...(list === null
          ? []
          : [
              command(
                'search',
                list === 'secret' ? secretTexts.search : objectTexts.search,
                'search',
                words.search,
              ),
            ]),
        go('files', place.files, 'folder', () => showPlace({ kind: 'folder', path: '' })),
        go('all', place.all, 'all', () => showPlace({ kind: 'all' })),
        go('recent', place.recent, 'clock', () => showPlace({ kind: 'recent' }), words.recent),
        go('secrets', secretTexts.label, 'key', () => showPlace({ kind: 'all' }, 'secret'), words.secrets),
        ...others.flatMap((each) => each.goTo ?? []),
        go('gone', place.gone, 'gone', () => showPlace({ kind: 'gone' }), words.gone),
        command('dock.details', commonTexts.showDetails, 'text'),
        command('dock.transfers', dockTexts.show.transfers, 'moves', words.transfers),
        command('dock.jobs', dockTexts.show.jobs, 'deferred', words.jobs),
        command('dock.toggle', palette.toggleActivity, 'panel', words.activity),
        command('settings', settingsTexts.title, 'settings', words.settings),
      ],
    },
  ];
}

/** Switching to other services, and actions on the active one. */
export function paletteServices(
  client: Client,
  services: readonly Service[],
  active: Service | null,
): PaletteGroup {
  const { service: words } = texts.words;
  const entry = (id: string, label: string, icon: IconName, run: () => void): PaletteEntry => ({
    id: `service-${id}`,
    label,
    icon,
    words,
    run,
  });
  const { service } = appTexts;
  return {
    name: settingsTexts.services,
    entries: [
      ...services
        .filter(({ id }) => id !== active?.id)
        .map(({ id, name }) => ({
          ...entry(id, texts.switchTo({ name }), 'server', () =>
            sayFailure(client.call('services.activate', { id })),
          ),
          words: `${words} ${texts.words.switch}`,
        })),
      ...(active === null
        ? []
        : [
            entry('edit', service.edit({ name: active.name }), 'pencil', () => showConnect(active.id)),
            entry('check', service.check, 'refresh', () =>
              sayFailure(client.call('services.check', { id: active.id })),
            ),
          ]),
      entry('add', settingsTexts.addService, 'plus', () => showConnect(null)),
    ],
  };
}

export function paletteHelp(client: Client, others: readonly PaletteFacts[]): PaletteGroup {
  const open = (what: 'log' | 'licences') => () => sayFailure(client.call('app.open', { what }));
  const { words, groups } = texts;
  return {
    name: groups.help,
    entries: [
      command('shortcuts', shortcutTexts.title, 'keyboard', words.shortcuts),
      ...others.flatMap((each) => each.help ?? []),
      { id: 'log', label: settingsTexts.log, icon: 'text', words: words.log, run: open('log') },
      { id: 'licences', label: settingsTexts.licences, icon: 'cert', run: open('licences') },
    ],
  };
}
