import { messages } from '../../shared/i18n/messages.ts';

/**
 * Everything that can be found by name. `words`: other search words, separated by spaces; as many as the language
 * has.
 */
export const paletteTexts = messages('palette', {
  groups: {
    selection: 'Selection',
    goTo: 'Go to',
    help: 'Help',
  },
  exportList: 'Export the list…',
  importList: 'Import a list…',
  switchTo: 'Switch to {name}',
  theme: {
    system: 'Use the system’s theme',
    light: 'Use the light theme',
    dark: 'Use the dark theme',
  },
  rows: { regular: 'Use regular rows', compact: 'Use compact rows' },
  language: 'Use Coffer in {name}',
  languageSystem: 'Use Coffer in the system’s language',
  words: {
    upload: 'add send store put',
    addKnown: 'find existing',
    exportList: 'save backup csv json',
    importList: 'load restore csv json',
    open: 'view show preview',
    edit: 'change write',
    download: 'get fetch save',
    kept: 'undo versions days',
    check: 'verify refresh',
    move: 'rename folder identifier',
    delete: 'remove erase',
    search: 'find filter',
    transfers: 'uploads downloads progress queue',
    jobs: 'deferred requests',
    activity: 'sidebar panel dock',
    gone: 'deleted trash bin',
    secrets: 'passwords keys tokens',
    settings: 'preferences options',
    service: 'service connection server account profile token',
    switch: 'change',
    theme: 'appearance colours colors mode night',
    rows: 'density spacing size appearance',
    language: 'locale translation',
    limit: 'limit bandwidth speed throttle rate',
    hours: 'schedule week night',
    notify: 'notifications alerts',
    background: 'tray quit close icon menu bar notification area',
    identical: 'duplicates same',
    shortcuts: 'keys keyboard hotkeys',
    log: 'diagnostics errors',
    report: 'diagnostics support crash bug',
    updates: 'version upgrade',
    versions: 'fold unfold older history',
  },
});
