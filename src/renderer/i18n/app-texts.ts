import type { JobSummary } from '../../shared/domain/job.ts';
import type { ConnectionState } from '../../shared/domain/profile.ts';
import { formatCounted } from './format.ts';

/** The first screen, the window's frame and its left side. */
export const appTexts = {
  welcome: {
    title: 'Welcome to Coffer',
    lead: 'Put files and secrets into your storage service, find them again, and get them back whole.',
    connect: 'Connect to a service',
    connectText: 'You need its base address and an access token.',
    tryLocal: 'Try it on this computer',
    tryLocalText: 'A small service starts here. Everything works, nothing leaves.',
    starting: 'Starting the service…',
    token: 'Your token goes to the system keychain and is never shown again.',
    tokenSession: 'No system keychain here: a token is kept until Coffer ends, and never written to disk.',
  },
  recovery: {
    title: 'The list of your objects is damaged',
    lead: (name: string) =>
      `It was set aside as ${name}, and nothing in it was changed. Your objects are at the service, untouched.`,
    copies: 'Copies Coffer made',
    copy: (when: string, objects: number) => ({
      label: when,
      text: formatCounted(objects, 'object', 'objects'),
    }),
    none: 'There is no copy yet. You can start with an empty list and add identifiers you know, or import a list.',
    use: 'Go on with this copy',
    empty: 'Start with an empty list',
  },
  failed: { again: 'Try again' },
  /** A part of the window that cannot be drawn. */
  pane: {
    titles: {
      window: 'The window cannot be shown',
      nav: 'Places cannot be shown',
      list: 'This list cannot be shown',
      settings: 'The settings cannot be shown',
      dock: 'Activity cannot be shown',
      details: 'The details cannot be shown',
      transfers: 'The transfers cannot be shown',
      jobs: 'The jobs cannot be shown',
      banner: 'A message cannot be shown',
      status: 'What goes on cannot be shown here',
      dialog: 'This cannot be shown',
    },
    text: 'Something in it could not be drawn. Nothing is lost, and everything else goes on. The log says where it happened.',
    again: 'Try again',
    log: 'Show the log',
    close: 'Close',
  },
  nav: {
    label: 'Collections',
    all: 'All objects',
    secrets: 'Secrets',
    gone: 'Gone',
    folders: 'Folders',
    foldersHint: (separator: string) =>
      `Folders appear from identifiers such as ${['reports', '2026', 'july.pdf'].join(separator)}`,
    moreFolders: (count: number) =>
      `${formatCounted(count, 'more folder', 'more folders')}, search to find them`,
    open: (name: string) => `Open ${name}`,
    close: (name: string) => `Close ${name}`,
    unfiled: 'Unfiled',
    classifications: 'Classifications',
    serviceDefault: 'Service default',
    settings: 'Settings',
  },
  service: {
    button: (name: string, state: string) => `Service ${name}, ${state}`,
    menu: 'Services',
    add: 'Add a service…',
    edit: (name: string) => `Edit ${name}…`,
    check: 'Check the connection',
    remove: (name: string) => `Remove ${name}…`,
  },
  connection: {
    checking: 'Checking',
    ready: 'Ready',
    tokenMissing: 'No token',
    tokenRefused: 'Token refused',
    unreachable: 'Unreachable',
  } satisfies Record<ConnectionState, string>,
  dock: {
    label: 'Activity',
    details: 'Details',
    transfers: 'Transfers',
    jobs: 'Jobs',
    hide: 'Hide activity',
    jobsAbout: ({ active, counts, lost, failed }: JobSummary) =>
      [
        formatCounted(active, 'job', 'jobs'),
        counts.closing > 0 && `${formatCounted(counts.closing, 'window', 'windows')} closing`,
        lost > 0 && `${formatCounted(lost, 'result', 'results')} lost`,
        failed > 0 && `${failed} failed`,
      ]
        .filter((part) => part !== false)
        .join(', '),
    transfersAbout: (open: number, failed: number) =>
      `${formatCounted(open, 'transfer', 'transfers')}${failed > 0 ? `, ${failed} failed` : ''}`,
  },
  proxy: {
    missing: (proxy: string) => `Everything is paused. The proxy ${proxy} asks for a name and a password.`,
    refused: (proxy: string) => `Everything is paused. The proxy ${proxy} refused the name and password.`,
    missingOf: (proxy: string, name: string) =>
      `${name} is paused. The proxy ${proxy} asks for a name and a password.`,
    refusedOf: (proxy: string, name: string) =>
      `${name} is paused. The proxy ${proxy} refused the name and password.`,
    waiting: (count: number) =>
      count === 0
        ? 'Nothing has failed. Everything goes on when you have signed in.'
        : `Nothing has failed. ${formatCounted(count, 'transfer goes', 'transfers go')} on when you have signed in.`,
    enter: 'Enter name and password',
  },
  token: {
    refused: (isActive: boolean, name: string) =>
      isActive
        ? 'Everything is paused. The service refused the access token.'
        : `${name} is paused. It refused the access token.`,
    missing: (isActive: boolean, name: string) =>
      isActive
        ? 'Everything is paused. There is no access token for this service.'
        : `${name} is paused. There is no access token for it.`,
    waiting: (count: number) =>
      count === 0
        ? 'Nothing has failed. Everything goes on with a new token.'
        : `Nothing has failed. ${formatCounted(count, 'transfer goes', 'transfers go')} on with a new token.`,
    enter: 'Enter a new token',
    field: 'Access token',
    use: 'Use this token',
    cancel: 'Cancel',
    refusedAgain: 'The service refused this token too.',
    accepted: 'The token is accepted. Everything goes on.',
  },
};
