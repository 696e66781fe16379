import { messages } from '../../shared/i18n/messages.ts';
import type { ConnectionState } from '../../shared/domain/service.ts';
import type { TabSummary } from '../../shared/domain/transfer-summary.ts';
import { formatList } from '../../shared/i18n/format.ts';
import { transferTexts } from './transfer-texts.ts';

/** The first screen, the window frame and the sidebar. */
export const appTexts = messages('app', {
  welcome: {
    title: 'Welcome to Coffer',
    lead: 'Store files and secrets in your storage service, find them again, and get them back intact.',
    connectText: 'You need its base address and an access token.',
    tryLocal: 'Try it on this computer',
    tryLocalText: 'Starts a small service here. Everything works, and nothing leaves this computer.',
    starting: 'Starting the service…',
    token: 'Your token is saved in the system keychain and never shown again.',
    tokenSession:
      'The system keychain can’t be used. Your token is kept until you quit Coffer and never written to disk.',
  },
  recovery: {
    title: 'The list of your objects is damaged',
    lead: 'It was set aside unchanged as {name}. Your objects are safe at the service.',
    copies: 'Copies made by Coffer',
    madeAt: '{date}, {time}',
    none: 'There is no copy yet. Start with an empty list and add identifiers you know, or import a list.',
    use: 'Continue with this copy',
    empty: 'Start with an empty list',
  },
  opening: {
    title: 'Opening your list…',
    titleCommand: 'Waiting for a command to finish',
    textCommand:
      'It is using your list. Coffer opens as soon as it has finished, and continues what it began.',
  },
  /** Shown instead of a part of the window that failed to render. */
  pane: {
    titles: {
      window: 'Can’t show the window',
      nav: 'Can’t show the sidebar',
      list: 'Can’t show this list',
      settings: 'Can’t show the settings',
      watch: 'Can’t show the watched folders',
      dock: 'Can’t show activity',
      details: 'Can’t show the details',
      transfers: 'Can’t show the transfers',
      jobs: 'Can’t show the jobs',
      banner: 'Can’t show a message',
      status: 'Can’t show the status',
      dialog: 'Can’t show this',
    },
    text: 'Part of it couldn’t be displayed. Nothing is lost, and everything else continues. The log has the details.',
  },
  countOf: '{count, number} of {total, number}',
  nav: {
    label: 'Collections',
    gone: 'Deleted',
    watched: 'Watched folders',
    favourites: 'Favourites',
    folders: 'Folders',
    foldersHint: 'Folders you upload appear here',
    folderMenu: {
      label: 'Folder {path}',
      copyPath: 'Copy path',
      copied: 'Path copied',
      notCopied: 'Couldn’t copy the path',
    },
    moreFolders: '{count, plural, one {# more folder, see the list} other {# more folders, see the list}}',
    open: 'Open {name}',
    close: 'Close {name}',
  },
  service: {
    button: 'Service {name}, {state}',
    current: '{state}, shown now',
    edit: 'Edit {name}…',
    check: 'Check the connection',
    remove: 'Remove {name}…',
  },
  connection: {
    checking: 'Checking',
    ready: 'Ready',
    unstable: 'Connection lost',
    tokenMissing: 'No token',
    tokenRefused: 'Token refused',
    unreachable: 'Unreachable',
  } as const satisfies Record<ConnectionState, string>,
  dock: {
    label: 'Activity',
    details: 'Details',
    transfers: 'Transfers',
    jobs: 'Jobs',
    pin: 'Stay on this tab',
    hide: 'Hide activity',
    show: 'Show activity',
    showWith: 'Show activity, {trouble}',
    jobsOpen: '{count, plural, one {# job} other {# jobs}}',
    jobsClosing: '{count, plural, one {# window closing} other {# windows closing}}',
    transfersOpen: '{count, plural, one {# transfer} other {# transfers}}',
    failed: '{count, plural, one {# failed} other {# failed}}',
  },
  proxy: {
    missing: 'Everything is paused. The proxy {proxy} requires a name and password.',
    refused: 'Everything is paused. The proxy {proxy} refused the name and password.',
    missingOf: '{name} is paused. The proxy {proxy} requires a name and password.',
    refusedOf: '{name} is paused. The proxy {proxy} refused the name and password.',
    waiting:
      '{count, plural, =0 {Nothing has failed. Everything continues once you sign in.} one {Nothing has failed. # transfer continues once you sign in.} other {Nothing has failed. # transfers continue once you sign in.}}',
    enter: 'Enter name and password',
  },
  token: {
    refused: 'Everything is paused. The service refused the access token.',
    missing: 'Everything is paused. There is no access token for this service.',
    refusedOf: '{name} is paused. It refused the access token.',
    missingOf: '{name} is paused. There is no access token for it.',
    unread: 'Everything is paused. The access token can’t be read from the keychain.',
    unreadOf: '{name} is paused. Its access token can’t be read from the keychain.',
    late: 'The keychain didn’t answer. If it asks for a password, enter it. Coffer tries again by itself.',
    waiting:
      '{count, plural, =0 {Nothing has failed. Everything continues once you enter a new token.} one {Nothing has failed. # transfer continues once you enter a new token.} other {Nothing has failed. # transfers continue once you enter a new token.}}',
    enter: 'Enter a new token',
    use: 'Use this token',
    refusedAgain: 'The service refused this token, too.',
    accepted: 'Token accepted. Everything continues.',
  },
});

/** `3 jobs, 1 window closing, 1 failed` */
export function jobsAbout({ active, counts, lost, failed }: TabSummary): string {
  const texts = appTexts.dock;
  return formatList([
    texts.jobsOpen({ count: active }),
    counts.closing > 0 && texts.jobsClosing({ count: counts.closing }),
    lost > 0 && transferTexts.trouble.lost({ count: lost }),
    failed > 0 && texts.failed({ count: failed }),
  ]);
}

export function transfersAbout(open: number, failed: number): string {
  const texts = appTexts.dock;
  return formatList([texts.transfersOpen({ count: open }), failed > 0 && texts.failed({ count: failed })]);
}
