import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { writeFile } from './fs.ts';

/*
 * The mark of a file that came from elsewhere, which browsers and mail programs set too. Windows asks before it runs such a file, Office
 * shows it in Protected View and blocks its macros; macOS asks, and lets Gatekeeper check programs. It names neither the service nor the
 * identifier: whoever gets the file would read them. Linux has no mark: `user.xdg.origin.url` warns of nothing, and is an address.
 */

/** `zone`: the stream Zone.Identifier of NTFS. `quarantine`: the extended attribute com.apple.quarantine of macOS. */
export type WebMark = 'zone' | 'quarantine';

export function webMarkOf(platform: NodeJS.Platform = process.platform): WebMark | undefined {
  if (platform === 'win32') return 'zone';
  return platform === 'darwin' ? 'quarantine' : undefined;
}

/**
 * The zone of the internet. Chromium writes the same where Windows' own service for it cannot be asked
 * (components/services/quarantine/quarantine_win.cc, SetInternetZoneIdentifierDirectly).
 */
const zoneIdentifier = '[ZoneTransfer]\r\nZoneId=3\r\n';

/** Longer than the slowest start of a program; a download must not wait forever, in ms. */
const longestMs = 10_000;
/** Arguments of one process: macOS allows 1 MiB in all. */
const atOnce = 200;

type Run = (args: readonly string[]) => Promise<unknown>;

const runXattr: Run = (args) =>
  promisify(execFile)('/usr/bin/xattr', args, { timeout: longestMs, maxBuffer: 1024 * 1024 });

/**
 * @returns marks a file. The mark stays with the file when it gets another name. Never rejects: a file system without streams or
 * attributes, such as FAT, takes no mark.
 */
export function createWebMarker(
  run: Run = runXattr,
  nowMs: () => number = Date.now,
): (path: string, mark: WebMark) => Promise<void> {
  let waiting: string[] = [];
  let running: Promise<void> = Promise.resolve();
  /** Of the files that wait; null: none does. */
  let next: Promise<void> | null = null;

  /** One process for all files that come while another one runs. */
  function quarantine(path: string): Promise<void> {
    waiting.push(path);
    return (next ??= running =
      running.then(async () => {
        const paths = waiting;
        [waiting, next] = [[], null];
        // 0081 is what browsers write: downloaded, not opened yet. Then the time in seconds, the program, and no entry in the list of downloads.
        const value = `0081;${Math.floor(nowMs() / 1000).toString(16)};Coffer;`;
        for (let from = 0; from < paths.length; from += atOnce)
          await run(['-w', 'com.apple.quarantine', value, ...paths.slice(from, from + atOnce)]).catch(
            () => undefined,
          );
      }));
  }

  return async (path, mark) => {
    if (mark === 'quarantine') await quarantine(path);
    else await writeFile(`${path}:Zone.Identifier`, zoneIdentifier).catch(() => undefined);
  };
}

export const markFile = createWebMarker();
