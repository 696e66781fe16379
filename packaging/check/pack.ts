/*
 * pack.ts FOLDER linux|others|archive: makes packages in FOLDER/made, with made-up releases of Electron beside it: for Linux, for the
 * other systems and processors, or only the archive. Only packages for this computer contain the command, without V8's compiled code:
 * programs.spec.ts makes the other systems' programs, command.spec.ts the complete one. For the Debian package and the AppImage it
 * writes their options to FOLDER/made/NAME.json, because the tools that make them may be missing here.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { constants } from 'node:zlib';
import { Arch, build, type CliOptions } from 'electron-builder';
import configuration from '../../electron-builder.config.ts';
import { addProgram } from '../add-command.ts';
import { hostTarget } from '../command/node-program.ts';
import type { Deb } from './deb.ts';
import { makeElectron, systems } from './made-up-electron.ts';

const targets: Readonly<Record<string, Pick<CliOptions, 'linux' | 'win' | 'mac'>>> = {
  linux: { linux: ['deb:x64', 'AppImage:x64'] },
  // A `universal` package can only be made on macOS.
  others: { linux: ['dir:arm64'], win: ['dir:x64', 'dir:arm64'], mac: ['dir:x64'] },
  archive: { linux: ['dir:x64'] },
};
const [folder, which = ''] = process.argv.slice(2);
const wanted = targets[which];
if (!folder || !wanted) throw new Error('usage: pack.ts FOLDER linux|others|archive');
await Promise.all(systems.map((system) => makeElectron(system, join(folder, system))));

/** The packager's input for an AppImage, or the options of the program that makes a Debian package. */
type Parts = { desktop: string } | [options: string[], desktopEntry: string];

/** true: do not make the package */
function noteParts(parts: Parts): Promise<boolean> {
  if (Array.isArray(parts)) noteDeb(...parts);
  else writeFileSync(join(output, 'appimage.json'), JSON.stringify({ desktopEntry: parts.desktop }));
  return Promise.resolve(true);
}

function noteDeb(options: string[], desktopEntry: string): void {
  // The scripts are temporary files.
  const script = (name: string) =>
    readFileSync(options[options.indexOf(`--after-${name}`) + 1] ?? '', 'utf8');
  const noted: Deb = {
    options,
    depends: [configuration.deb?.depends ?? []].flat(),
    desktopEntry: readFileSync(desktopEntry, 'utf8'),
    scripts: { install: script('install'), remove: script('remove') },
  };
  writeFileSync(join(output, 'deb.json'), JSON.stringify(noted));
}

const output = join(folder, 'made');
await build({
  projectDir: join(import.meta.dirname, '..', '..'),
  ...wanted,
  publish: 'never',
  effectiveOptionComputed: noteParts,
  config: {
    ...configuration,
    directories: { ...configuration.directories, output },
    afterPack: async (packed) => {
      if (which !== 'archive' && `${packed.electronPlatformName}-${Arch[packed.arch]}` === hostTarget())
        // Nobody downloads the archive, and few checks start the program.
        await addProgram(packed, { isCompiled: false, level: constants.Z_NO_COMPRESSION });
    },
    // Nothing is signed here.
    afterSign: null,
    electronDist: ({ platformName }: { platformName: string }) => join(folder, platformName),
  },
});
