import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, readlinkSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { extractFile, getRawHeader } from '@electron/asar';
import { FuseState, FuseV1Options, getCurrentFuseWire } from '@electron/fuses';
import { NtExecutable, NtExecutableResource, Resource } from 'resedit';
import { expect, root, test, type Package } from './fixtures.ts';

const maxAsarBytes = 14 * 1024 * 1024;

/** Checks of the packages for all systems. */
const checks: Readonly<Record<string, (packages: Package[]) => void | Promise<void>>> = {
  'the fuses match docs/security.md': async (packages) => {
    for (const { program } of packages) {
      const { version, ...wire } = await getCurrentFuseWire(program);
      expect(version).toBe('1');
      const states = Object.fromEntries(
        Object.entries(wire).map(([at, state]) => [FuseV1Options[Number(at)], FuseState[Number(state)]]),
      );
      expect(states).toEqual({
        RunAsNode: 'DISABLE',
        EnableNodeOptionsEnvironmentVariable: 'DISABLE',
        EnableNodeCliInspectArguments: 'DISABLE',
        GrantFileProtocolExtraPrivileges: 'DISABLE',
        OnlyLoadAppFromAsar: 'ENABLE',
        EnableEmbeddedAsarIntegrityValidation: 'ENABLE',
        // Electron's defaults.
        EnableCookieEncryption: 'DISABLE',
        LoadBrowserProcessSpecificV8Snapshot: 'DISABLE',
        WasmTrapHandlers: 'ENABLE',
      });
    }
  },

  'the archive is small and contains only what runs': (packages) => {
    const allowed = [
      /^package\.json$/,
      /^out\/main\/[\w-]+\.c?js$/,
      /^out\/preload\/index\.cjs$/,
      /^out\/renderer\/(index\.html|early\.js)$/,
      /^out\/renderer\/assets\/[\w-]+\.(js|css|woff2)$/,
      /^out\/renderer\/assets\/pdf\.(worker|renderer)\.min-[\w-]+\.mjs$/,
      /^out\/renderer\/pdf\/(standard_fonts|cmaps|wasm)\/[\w-]+\.(pfb|ttf|bcmap|js)$/,
    ];
    const keytar = ['LICENSE.md', 'lib/keytar.js', 'package.json'];
    const built = readdirSync(join(root, 'out'), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(root, join(entry.parentPath, entry.name)))
      .concat('package.json')
      .sort();
    for (const { asar, packed, prebuilds } of packages) {
      expect(statSync(asar).size).toBeLessThan(maxAsarBytes);
      const modules = packed.filter((path) => path.startsWith('node_modules/'));
      expect(modules).toEqual(
        [...keytar, ...prebuilds.map((name) => `prebuilds/${name}/keytar.node`)].map(
          (path) => `node_modules/keytar/${path}`,
        ),
      );
      const others = packed.filter((path) => !path.startsWith('node_modules/'));
      expect(others.filter((path) => !allowed.some((pattern) => pattern.test(path)))).toEqual([]);
      expect(others).toEqual(built);
    }
  },

  'beside the archive lie the licences and the module for this system': (packages) => {
    for (const { resources, prebuilds, files } of packages) {
      expect(readFileSync(join(resources, 'licences.txt'))).toEqual(readFileSync(join(root, 'licences.txt')));
      const modules = files.filter((path) => path.endsWith('.node') && !path.includes('/command/'));
      expect(modules.map((path) => path.split('/').at(-2))).toEqual(prebuilds);
      for (const name of prebuilds) {
        const path = join('node_modules', 'keytar', 'prebuilds', name, 'keytar.node');
        expect(readFileSync(join(resources, 'app.asar.unpacked', path))).toEqual(
          readFileSync(join(root, path)),
        );
      }
    }
  },

  'a package contains nothing about the machine that built it, nor about development': (packages) => {
    for (const { asar, packed } of packages) {
      const manifest = readManifest(asar);
      expect(manifest).not.toHaveProperty('devDependencies');
      expect(manifest).not.toHaveProperty('scripts');
      expect(manifest).toMatchObject({ bugs: { url: 'https://coffer.invalid/issues' } });
      for (const path of packed.filter((each) => !each.endsWith('.node'))) {
        const text = extractFile(asar, path).toString('latin1');
        expect(text.includes(root), `${path} names ${root}`).toBe(false);
        expect(text, path).not.toMatch(/^\/[/*]# sourceMappingURL=/m);
      }
    }
  },

  'each system shows our icon and name': (packages) => {
    for (const each of packages) {
      expect(existsSync(each.program)).toBe(true);
      if (each.name === 'mac') {
        expect(readFileSync(join(each.resources, 'icon.icns'))).toEqual(
          readFileSync(join(root, 'packaging', 'icon.icns')),
        );
        const plist = readFileSync(join(each.program, 'Contents', 'Info.plist'), 'utf8');
        expect(plist).toMatch(/<key>CFBundleIdentifier<\/key>\s*<string>org\.coffer\.Coffer<\/string>/);
        // What macOS shows when it asks for the local network.
        expect(plist).toMatch(
          /<key>NSLocalNetworkUsageDescription<\/key>\s*<string>Coffer connects to [^<]+<\/string>/,
        );
      }
      if (each.name.startsWith('win-')) {
        const { entries } = readResources(each);
        const [icons] = Resource.IconGroupEntry.fromEntries(entries);
        expect(icons?.icons.map(({ width }) => width || 256)).toEqual([16, 24, 32, 48, 64, 128, 256]);
        const [version] = Resource.VersionInfo.fromEntries(entries);
        expect(version?.getStringValues({ lang: 1033, codepage: 1200 })['ProductName']).toBe('Coffer');
      }
    }
  },
};

for (const [title, check] of Object.entries(checks)) {
  test(title, ({ packages }) => check(packages));
  test(`${title}: of the other systems @all`, ({ otherPackages }) => check(otherPackages));
}

test('the program knows the digest of its archive @all', ({ otherPackages }) => {
  for (const each of otherPackages) {
    // Electron compares the digest of the header, which contains a digest of each file.
    const expected = createHash('sha256').update(getRawHeader(each.asar).headerString).digest('hex');
    if (each.name === 'mac') expect(readMacDigest(each)).toBe(expected);
    if (each.name.startsWith('win-')) expect(readWindowsDigest(each)).toBe(expected);
  }
});

test('the Debian package lets Chromium have its sandbox where user namespaces are restricted', ({
  packages,
}) => {
  const [linux] = packages;
  const profile = readFileSync(join(linux?.resources ?? '', 'apparmor-profile'), 'utf8');
  // Ubuntu 24.04 and newer: programs without a profile may not create user namespaces (electron/electron#41066, #42510).
  expect(profile).toMatch(
    /^profile "coffer-desktop" "\/opt\/Coffer\/coffer-desktop" flags=\(unconfined\) \{\s+userns,/m,
  );
  const { options, scripts, desktopEntry } = linux?.deb ?? {};
  expect(scripts?.install).toContain("APPARMOR_PROFILE_SOURCE='/opt/Coffer/resources/apparmor-profile'");
  expect(scripts?.install).toContain('apparmor_parser --replace');
  expect(scripts?.remove).toContain("APPARMOR_PROFILE_DEST='/etc/apparmor.d/coffer-desktop'");
  // The name that tells the desktop whose windows these are.
  const { desktopName = 'coffer-desktop.desktop' } = readManifest(linux?.asar ?? '');
  expect(options).toContainEqual(
    expect.stringMatching(new RegExp(`=/usr/share/applications/${desktopName}$`)),
  );
  expect(desktopEntry).toMatch(/^Exec=\/opt\/Coffer\/coffer-desktop %U$/m);
});

test('the Debian package puts the command, its manual page and its completion where they are looked for', ({
  packages: [linux],
}) => {
  const { options = [], scripts } = linux?.deb ?? {};
  const [links = ''] = options.find((option) => option.endsWith('/=/'))?.split('=') ?? [];
  expect(scripts?.install).toContain('/usr/bin/coffer-desktop');
  const all = readdirSync(links, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isSymbolicLink(),
  );
  const installed = all.map(({ parentPath, name }) => {
    const path = join(parentPath, name);
    const to = readlinkSync(path);
    const inPackage = to.replace('/opt/Coffer', dirname(linux?.program ?? ''));
    expect(existsSync(inPackage), to).toBe(true);
    return `/${path.slice(links.length)}`;
  });
  expect(installed.sort()).toEqual([
    '/usr/bin/coffer',
    '/usr/share/bash-completion/completions/coffer',
    '/usr/share/fish/vendor_completions.d/coffer.fish',
    '/usr/share/man/man1/coffer.1.gz',
    '/usr/share/zsh/site-functions/_coffer',
    '/usr/share/zsh/vendor-completions/_coffer',
  ]);
});

test('an AppImage does not give up the sandbox unasked', ({ packages }) => {
  expect(packages[0]?.appImage?.desktopEntry).toMatch(/^Exec=AppRun %U$/m);
});

function readManifest(asar: string): { desktopName?: string } {
  return JSON.parse(extractFile(asar, 'package.json').toString()) as { desktopName?: string };
}

function readMacDigest({ program }: Package): string | undefined {
  const plist = readFileSync(join(program, 'Contents', 'Info.plist'), 'utf8');
  return /<key>Resources\/app\.asar<\/key>\s*<dict>.*?<key>hash<\/key>\s*<string>(\w+)<\/string>/s.exec(
    plist,
  )?.[1];
}

function readWindowsDigest(each: Package): string | undefined {
  const entry = readResources(each).entries.find(
    ({ type, id }) => type === 'INTEGRITY' && id === 'ELECTRONASAR',
  );
  const list = JSON.parse(Buffer.from(entry?.bin ?? new ArrayBuffer()).toString()) as {
    file: string;
    value: string;
  }[];
  return list.find(({ file }) => file === 'resources\\app.asar')?.value;
}

function readResources({ program }: Package): NtExecutableResource {
  return NtExecutableResource.from(NtExecutable.from(readFileSync(program)));
}
