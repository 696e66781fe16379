import type { SaveAs } from '../../../shared/domain/edit.ts';
import { messages } from '../../../shared/i18n/messages.ts';

/** Objects being edited in place. */
export const editTexts = messages('edits', {
  title: 'Open edits',
  needs: 'Edits that need your answer',
  status: '{count, plural, one {# open edit} other {# open edits}}',
  needYou: '{count, plural, one {# needs your answer} other {# need your answer}}',
  each: {
    newVersion: 'Each save becomes a new version',
    replace: 'Each save replaces the object',
  } as const satisfies Record<SaveAs, string>,
  foot: 'Working copies are removed when you finish.',
  close: 'Close',
  line: {
    opening: 'Opening for editing',
    openingWaits: 'Opening for editing, {waiting}',
    untouched: 'Editing since {time}, nothing to save',
    stored: 'Editing, saved {time}, stored',
    saved: 'Editing, saved {time}, {state}',
    finishing: 'Finishing',
    finishingSaved: 'Finishing, saved {time}, {state}',
  },
  state: {
    uploading: 'uploading',
    soon: 'about to be uploaded',
    network: 'waiting for the service',
    token: 'waiting for a new token',
    paused: 'uploads are paused',
    waiting: 'waiting',
  },
  /** In the list of transfers. */
  short: {
    changed: 'Changed at the service while you edited',
    deleted: 'Deleted at the service while you edited',
    failed: 'Your save wasn’t uploaded',
    failedOpening: 'It wasn’t opened for editing',
  },
  changed: 'Changed at the service since you opened it.',
  deleted: 'Deleted at the service since you opened it.',
  failed: 'Your save wasn’t uploaded.',
  failedOpening: 'It wasn’t opened for editing.',
  asking: 'Your save waits for an answer.',
  askingText: 'The identifier already exists.',
  kept: 'Nothing was sent. Your save is kept here.',
  notKept: 'Your last save isn’t kept yet.',
  mine: 'Mine',
  theirs: 'Theirs',
  savedAt: 'Saved {time}',
  seenAt: 'Seen {time}',
  larger: 'larger',
  smaller: 'smaller',
  sameSize: 'same size, different contents',
  act: {
    finish: 'Finish',
    openAgain: 'Open again',
    keepMine: 'Keep mine as a new version',
    takeTheirs: 'Take theirs',
    compare: 'Compare',
    storeAgain: 'Store mine again',
    discard: 'Discard mine',
    remove: 'Don’t edit',
    deleteBeside: 'Delete them and finish',
  },
  actOn: '{act}, {identifier}',
  news: {
    changed: '{identifier} was changed at the service while you edited. Your save is kept.',
    deleted: '{identifier} was deleted at the service while you edited. Your save is kept.',
    failed: 'Your save of {identifier} wasn’t uploaded. It is kept.',
  },
  remove: {
    unsaved:
      '{count, plural, one {# save isn’t uploaded yet, and goes too:} other {# saves aren’t uploaded yet, and go too:}}',
  },
  settings: {
    saveAs: 'Each save',
    saveAsHint:
      'New version: keeps the old file beside it. Replace: one file; its name is unavailable for a moment.',
    saveAsChoices: { newVersion: 'New version', replace: 'Replace' } as const satisfies Record<
      SaveAs,
      string
    >,
    forbidden: 'Not for editing',
    forbiddenHint: 'Objects of these classifications can be opened, not edited.',
  },
});
