import { messages } from '../../shared/i18n/messages.ts';

/** Folders in which nothing is stored yet. */
export const folderTexts = messages('folders', {
  new: 'New folder',
  create: 'Create folder',
  /** Where the folder is created. */
  into: 'In {folder}',
  taken: {
    folder: 'There is a folder with this name already.',
    object: 'There is an object with this name already.',
  },
  /** The folder that is renamed, and the one that has its new name. */
  joined: 'There is a folder with this name already. Both become one.',
  empty: 'Empty folder',
  emptyText: 'It is kept on this computer until something is stored in it. Drop files here, or upload them.',
  removed: '{count, plural, one {# folder removed from the list} other {# folders removed from the list}}',
  moved: '{count, plural, one {# folder moved} other {# folders moved}}',
  move: '{count, plural, one {Move # folder} other {Move # folders}}',
});
