/*
 * pack.ts FOLDER [linux]: makes the packages of the three systems in FOLDER/made, with made-up releases of Electron beside
 * it. Only those for this computer have the command: programs.spec.ts makes the other systems' programs. For the Debian package and the AppImage it writes their options to FOLDER/made/NAME.json, because the tools
 * that make them are not here.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Arch, build } from 'electron-builder';
import configuration from '../../electron-builder.config.ts';
import { addCommand } from '../add-command.ts';
import { hostTarget } from '../command/node-program.ts';
import { makeElectron, systems } from './made-up-electron.ts';

const [folder, only] = process.argv.slice(2);
if (!folder) throw new Error('usage: pack.ts FOLDER [linux]');
await Promise.all(systems.map((system) => makeElectron(system, join(folder, system))));

/** The packager's input for an AppImage, or the options of the program that makes a Debian package. */
type Parts = { desktop: string } | [options: string[], desktopEntry: string];

/** true: the package is not made */
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
  ...(only === 'linux'
    ? { linux: ['dir:x64'] }
    : {
        linux: ['deb:x64', 'AppImage:x64', 'dir:arm64'],
        win: ['dir:x64'],
        mac: ['dir:x64'], // a `universal` package can only be made on macOS
      }),
  publish: 'never',
  effectiveOptionComputed: noteParts,
  config: {
    ...configuration,
    directories: { ...configuration.directories, output },
    afterPack: async (packed) => {
      if (only === undefined && `${packed.electronPlatformName}-${Arch[packed.arch]}` === hostTarget())
        await addCommand(packed);
    },
    // Nothing is signed here.
    afterSign: null,
    electronDist: ({ platformName }: { platformName: string }) => join(folder, platformName),
  },
});
