/*
 * pack.ts FOLDER: makes the packages of the three systems in FOLDER/made, over releases of Electron made up beside it.
 * Of the Debian package and the AppImage what they would be made of, as FOLDER/made/NAME.json: what makes them is not here.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'electron-builder';
import configuration from '../../electron-builder.config.ts';
import { makeElectron, systems } from './made-up-electron.ts';

const [folder] = process.argv.slice(2);
if (!folder) throw new Error('usage: pack.ts FOLDER');
await Promise.all(systems.map((system) => makeElectron(system, join(folder, system))));

/** What the packager says of an AppImage, and of a Debian package: the options of the program that makes it. */
type Parts = { desktop: string } | [options: string[], desktopEntry: string];

/** True: it is not made. */
function noteParts(parts: Parts): Promise<boolean> {
  if (Array.isArray(parts)) noteDeb(...parts);
  else writeFileSync(join(output, 'appimage.json'), JSON.stringify({ desktopEntry: parts.desktop }));
  return Promise.resolve(true);
}

function noteDeb(options: string[], desktopEntry: string): void {
  // The scripts are temporary files.
  const script = (name: string) =>
    readFileSync(options[options.indexOf(`--after-${name}`) + 1] ?? '', 'utf8');
  const noted = {
    options,
    desktopEntry: readFileSync(desktopEntry, 'utf8'),
    scripts: { install: script('install'), remove: script('remove') },
  };
  writeFileSync(join(output, 'deb.json'), JSON.stringify(noted));
}

const output = join(folder, 'made');
await build({
  projectDir: join(import.meta.dirname, '..', '..'),
  linux: ['deb:x64', 'AppImage:x64', 'dir:arm64'],
  win: ['dir:x64'],
  mac: ['dir:x64'], // putting two together for `universal` takes macOS
  publish: 'never',
  effectiveOptionComputed: noteParts,
  config: {
    ...configuration,
    directories: { ...configuration.directories, output },
    electronDist: ({ platformName }: { platformName: string }) => join(folder, platformName),
  },
});
