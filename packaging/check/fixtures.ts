import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { extractAll, getRawHeader, listPackage } from '@electron/asar';
import { expect, test as base } from '../../e2e/fixtures.ts';
import { makeDeb, type Deb } from './deb.ts';

export const root = join(import.meta.dirname, '..', '..');

/** Environment of pack.ts. */
export const packEnvironment = {
  ...process.env,
  COFFER_HOMEPAGE: 'https://coffer.invalid',
  COFFER_MAINTAINER: 'The check <check@coffer.invalid>',
};

/** A package of the build, with a made-up release of Electron. */
export type Package = {
  name: string;
  /** Prebuilt files of the keychain's module that belong in it. */
  prebuilds: string[];
  /** The program; on macOS, the folder of the application. */
  program: string;
  resources: string;
  /** All its files, relative to it, with `/`. */
  files: string[];
  asar: string;
  /** Files in the archive, or unpacked beside it. */
  packed: string[];
  appImage?: { desktopEntry: string };
  deb?: Deb;
};

async function makePackages(folder: string, which: 'linux' | 'others'): Promise<Package[]> {
  if (!existsSync(join(root, 'out', 'renderer', 'index.html'))) {
    throw new Error('Nothing was built: npm run build');
  }
  // In a separate process, because the packager's modules and the test runner's cannot be loaded together.
  await promisify(execFile)(process.execPath, [join(import.meta.dirname, 'pack.ts'), folder, which], {
    env: packEnvironment,
  });
  const read = (name: string, program: string, prebuilds: string[], resources = 'resources'): Package => {
    const home = join(folder, 'made', name);
    const asar = join(home, resources, 'app.asar');
    return {
      name,
      prebuilds,
      program: join(home, program),
      resources: join(home, resources),
      files: readdirSync(home, { recursive: true, withFileTypes: true })
        .filter((entry) => !entry.isDirectory())
        .map((entry) => join(entry.parentPath, entry.name).slice(home.length + 1))
        .sort(),
      asar,
      packed: listPackage(asar, { isPack: false })
        .map((path) => path.slice(1))
        .filter((path) => !isFolder(asar, path))
        .sort(),
    };
  };
  const readParts = (name: string): unknown =>
    JSON.parse(readFileSync(join(folder, 'made', `${name}.json`), 'utf8'));
  if (which === 'linux') {
    return [
      {
        ...read('linux-unpacked', 'coffer-desktop', ['linux-x64']),
        deb: readParts('deb') as Deb,
        appImage: readParts('appimage') as NonNullable<Package['appImage']>,
      },
    ];
  }
  return [
    read('linux-arm64-unpacked', 'coffer-desktop', ['linux-arm64']),
    read('win-unpacked', 'coffer-desktop.exe', ['win32-x64']),
    read('win-arm64-unpacked', 'coffer-desktop.exe', ['win32-arm64']),
    read('mac', 'Coffer.app', ['darwin-arm64', 'darwin-x64'], 'Coffer.app/Contents/Resources'),
  ];
}

type Entry = { files?: Record<string, Entry> };

function isFolder(asar: string, path: string): boolean {
  let entry: Entry | undefined = getRawHeader(asar).header as Entry;
  for (const part of path.split('/')) entry = entry?.files?.[part];
  return entry?.files !== undefined;
}

type Provide = (packages: Package[]) => Promise<void>;

function packagesFor(
  which: 'linux' | 'others',
): [(none: object, provide: Provide) => Promise<void>, { scope: 'worker'; timeout: number }] {
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads from the pattern which fixtures are wanted
  const make = async ({}, provide: Provide): Promise<void> => {
    const folder = mkdtempSync(join(tmpdir(), 'coffer-packages-'));
    await provide(await makePackages(folder, which));
    rmSync(folder, { recursive: true, force: true });
  };
  return [make, { scope: 'worker', timeout: 600_000 }];
}

/**
 * `packages` are those for Linux, `otherPackages` those for other systems and processors. `appFolder`, and with it `app`, is the
 * archive of the first, unpacked where no other module can be found. `deb` is the Debian package, and the folder of what it installs.
 */
export const test = base.extend<
  { appFolder: string },
  { packages: Package[]; otherPackages: Package[]; deb: { file: string; tree: string } }
>({
  packages: packagesFor('linux'),
  otherPackages: packagesFor('others'),

  deb: [
    async ({ packages: [linux] }, provide) => {
      if (!linux?.deb) throw new Error('no package was made');
      const folder = mkdtempSync(join(tmpdir(), 'coffer-deb-'));
      await provide({ file: makeDeb(linux.deb, folder), tree: join(folder, 'tree') });
      rmSync(folder, { recursive: true, force: true });
    },
    { scope: 'worker', timeout: 600_000 },
  ],

  appFolder: async ({ packages }, provide) => {
    const [linux] = packages;
    if (!linux) throw new Error('no package was made');
    const folder = join(mkdtempSync(join(tmpdir(), 'coffer-started-')), 'app');
    mkdirSync(folder);
    extractAll(linux.asar, folder);
    await provide(folder);
    rmSync(join(folder, '..'), { recursive: true, force: true });
  },
});

/** @param stdout of `coffer doctor --json` */
export function expectSound(stdout: string): void {
  const findings = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { check: string; ok: boolean });
  expect(findings.filter(({ ok }) => !ok)).toEqual([]);
  expect(findings.map(({ check }) => check)).toContain('keychain');
}

export { expect };
