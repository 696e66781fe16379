import { messages } from '../../shared/i18n/messages.ts';

/** Words used in many parts of the window. */
export const commonTexts = messages('common', {
  editName: 'Edit {name}',
  classifications: 'Classifications',
  objects: '{count, plural, one {# object} other {# objects}}',
  andMore: '{count, plural, other {and # more}}',
  remove: 'Remove',
  save: 'Save',
  close: 'Close',
  cancel: 'Cancel',
  undo: 'Undo',
  tryAgain: 'Try again',
  dismiss: 'Dismiss',
  clearSearch: 'Clear search',
  tryNow: 'Try now',
  openFile: 'Open',
  showInFolder: 'Show in folder',
  fileChanged: '{fileName} has changed since it was downloaded.',
  timeLeft: '{duration} left',
  serviceDefault: 'Default',
  notKnown: 'Not known',
  you: 'You',
  never: 'Never',
  nothingFound: 'Nothing found',
  saveAs: 'Save as…',
  copyIdentifier: 'Copy identifier',
  copyIdentifiers: 'Copy {count, plural, one {# identifier} other {# identifiers}}',
  removeFromList: 'Remove from list',
  showDetails: 'Show details',
  discard: {
    text: 'What you entered will be lost.',
    keep: 'Keep editing',
    discard: 'Discard',
  },
  closeDialogFirst: 'Close the open dialog first.',
  openDialogFirst: 'Close the open dialog first, then add the files.',
  openDialogFirstOne: 'Close the open dialog first, then drop the file.',
});

/** Texts of the components in `ui/`. */
export const uiTexts = messages('ui', {
  closeMessage: 'Close message',
  messages: 'Messages',
  urgentMessages: 'Urgent messages',
});
