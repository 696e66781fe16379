import { messages } from '../../shared/i18n/messages.ts';

/** Texts only for the manual page. */
export const manualTexts = messages('commandManual', {
  title: 'User commands',
  name: 'NAME',
  summary: 'objects and secrets of your services, from the command line',
  synopsis: 'SYNOPSIS',
  description: 'DESCRIPTION',
  options: 'OPTIONS',
  commands: 'COMMANDS',
  examples: 'Examples:',
  examplesTitle: 'EXAMPLES',
  exitStatus: 'EXIT STATUS',
  codes: {
    c0: 'Everything was done.',
    c1: 'An error with no exit status of its own.',
    c2: 'The command line is wrong.',
    c3: 'Not found.',
    c4: 'The token is missing, or the service refuses it; or the team’s server refuses you.',
    c5: 'The service, the team’s server, the app or the keychain is away or busy, or the service has not yet deleted what it was asked to: try again later.',
    c6: 'The identifier exists already.',
    c7: 'Forbidden by the service, the team or a person, or too large.',
    c8: 'Some of several failed.',
    c129: 'Ended by SIGHUP: the terminal closed. Standard error says what continues, here and with the signals below.',
    c130: 'Ended by SIGINT (Ctrl+C).',
    c131: 'Ended by SIGQUIT.',
    c143: 'Ended by SIGTERM.',
  },
  environment: 'ENVIRONMENT',
  variables: {
    COFFER_ADDRESS:
      'Together with COFFER_TOKEN the one service to work with, as on build machines: the list is in memory, and nothing is kept.',
    COFFER_TOKEN: 'The token for COFFER_ADDRESS.',
    VISUAL:
      'The editor for “coffer edit” on a terminal without the app; else EDITOR. Its exit status must be 0, or nothing is stored.',
    TMPDIR: 'The folder for temporary files, and for what “coffer edit” could not store.',
    HTTPS_PROXY:
      'The proxy for services whose settings name none, when no app does the work, as http://HOST:PORT; HTTP_PROXY is that for http addresses.',
    NO_PROXY:
      'Hosts to reach without that proxy, separated by commas: example.org, .example.org, or * for all.',
    COFFER_NODE:
      'The program of Node 24 or newer, for a “coffer” that brings none; without it “node” of the PATH is used.',
    NO_COLOR: 'When it is set, no progress bar is shown.',
  },
});
