import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createPackage } from '@electron/asar';
import { NtExecutable, NtExecutableResource, Resource } from 'resedit';

export const systems = ['linux', 'win32', 'darwin'] as const;
type System = (typeof systems)[number];

/** The fuses in the format of Electron's releases: marker, version 1, nine fuses. */
const fuses = Buffer.concat([
  Buffer.from('dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX'),
  Buffer.from([1, 9]),
  Buffer.from('101100011'),
]);

/**
 * Creates a folder that the packager takes for an unpacked Electron release: its layout, fuses, Windows version
 * information, and the example application of releases. Nothing in it runs.
 */
export async function makeElectron(system: System, folder: string): Promise<void> {
  const write = (path: string, body: string | Buffer, mode = 0o644) => {
    const whole = join(folder, path);
    mkdirSync(dirname(whole), { recursive: true });
    writeFileSync(whole, body);
    chmodSync(whole, mode); // regardless of the umask
  };
  write('LICENSE', 'The licence of Electron');
  write('LICENSES.chromium.html', 'The licences of Chromium');
  if (system === 'darwin') writeMacApp(folder, write);
  else {
    if (system === 'linux') write('electron', Buffer.concat([elf, fuses]), 0o755);
    else write('electron.exe', makeProgram(), 0o755);
    if (system === 'linux') write('chrome-sandbox', elf, 0o755);
    write('resources.pak', '');
    write('locales/en-US.pak', '');
  }
  const resources = system === 'darwin' ? 'Electron.app/Contents/Resources' : 'resources';
  const example = join(folder, 'example');
  write('example/package.json', '{"main":"main.js"}');
  write('example/main.js', 'throw new Error("this is Electron\'s example");');
  mkdirSync(join(folder, resources), { recursive: true });
  await createPackage(example, join(folder, resources, 'default_app.asar'));
  rmSync(example, { recursive: true });
}

/** The header of an ELF program for x64. */
const elf = Buffer.alloc(64);
elf.set([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1]);
elf.set([3, 0, 62, 0, 1], 16);

function makeProgram(): Buffer {
  const program = NtExecutable.createEmpty(false, false);
  const resources = NtExecutableResource.from(program);
  const version = Resource.VersionInfo.create({
    lang: 1033,
    fixedInfo: {},
    strings: [
      { lang: 1033, codepage: 1200, values: { FileDescription: 'Electron', ProductName: 'Electron' } },
    ],
  });
  version.outputToResourceEntries(resources.entries);
  resources.outputResource(program);
  program.setExtraData(new Uint8Array(fuses).buffer);
  return Buffer.from(program.generate());
}

function writeMacApp(
  folder: string,
  write: (path: string, body: string | Buffer, mode?: number) => void,
): void {
  const contents = 'Electron.app/Contents';
  write(`${contents}/Info.plist`, plist({ CFBundleIconFile: 'electron.icns', CFBundleName: 'Electron' }));
  write(`${contents}/Resources/electron.icns`, '');
  write(`${contents}/MacOS/Electron`, '', 0o755);
  for (const suffix of ['', ' (GPU)', ' (Plugin)', ' (Renderer)']) {
    const name = `Electron Helper${suffix}`;
    const helper = `${contents}/Frameworks/${name}.app/Contents`;
    write(`${helper}/Info.plist`, plist({ CFBundleName: name }));
    write(`${helper}/MacOS/${name}`, '', 0o755);
  }
  const framework = `${contents}/Frameworks/Electron Framework.framework`;
  write(`${framework}/Versions/A/Electron Framework`, fuses, 0o755);
  symlinkSync('A', join(folder, framework, 'Versions/Current'));
  symlinkSync('Versions/Current/Electron Framework', join(folder, framework, 'Electron Framework'));
}

function plist(values: Record<string, string>): string {
  const entries = Object.entries(values).map(([key, value]) => `<key>${key}</key><string>${value}</string>`);
  return `<?xml version="1.0" encoding="UTF-8"?><plist version="1.0"><dict>${entries.join('')}</dict></plist>`;
}
