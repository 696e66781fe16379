import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Configuration } from 'electron-builder';
import { addCommand, archiveSigned } from './packaging/add-command.ts';
import { description, makeDesktopEntry, summary } from './packaging/linux-texts.ts';
import { macSigning } from './packaging/mac-signing.ts';
import { publishFacts } from './packaging/publish-facts.ts';
import { repositoryAddresses } from './packaging/repository.ts';
import { windowsSigning } from './packaging/windows-signing.ts';

const { COFFER_MAINTAINER } = process.env;
const addresses = repositoryAddresses(process.env);

/** The keychain's module is the only one that is not bundled: of it what is loaded, for the system that is packed. */
const keytar = (...prebuilds: string[]) => ({
  from: 'node_modules/keytar',
  to: 'node_modules/keytar',
  filter: [
    'package.json',
    'LICENSE.md',
    'lib/keytar.js',
    ...prebuilds.map((name) => `prebuilds/${name}/keytar.node`),
  ],
});

const root = import.meta.dirname;

const readTable = (...path: string[]) =>
  JSON.parse(readFileSync(join(root, ...path), 'utf8')) as Record<string, string>;

/**
 * A folder of files for fpm, as they are installed. In `packaging/linux`: the command on the PATH, its manual page and its completion
 * as links to what is beside the app; the icon as SVG; the description for software centres.
 */
const filesOf = (folder: 'linux' | 'deb') => `${join(root, 'packaging', folder)}/=/`;

/** Names of packages with the libraries that Electron is linked with: Debian's, and those of the rpm. */
const electronLibraries = readTable('scripts', 'electron-libraries.json');

/** What `npm run package` makes; docs/releasing.md says what the environment adds. */
const configuration: Configuration = {
  appId: 'org.coffer.Coffer',
  productName: 'Coffer',
  artifactName: 'coffer-${version}-${os}-${arch}.${ext}',
  directories: { output: 'dist', buildResources: 'packaging' },
  // deb and rpm cannot be made without these two, and electron-builder says so.
  ...(addresses && { extraMetadata: addresses }),
  files: ['out/{main,preload,renderer}/**', '!**/*.map', 'package.json'],
  // The lock file has the digest of the package that brings them. Otherwise they are compared with a list from the same server.
  electronDownload: { checksums: readTable('node_modules', 'electron', 'checksums.json') },
  // False: the modules are looked after here (`keytar` above), nothing is collected or compiled.
  beforeBuild: () => Promise.resolve(false),
  // The system's loader cannot read from an archive.
  asarUnpack: ['**/*.node'],
  // Outside the archive: a file manager has to find it.
  // By its path: for a pattern the packager goes through the whole project, where files come and go meanwhile.
  extraResources: [{ from: 'licences.txt', to: 'licences.txt' }],
  afterPack: addCommand,
  afterSign: archiveSigned,
  afterAllArtifactBuild: publishFacts,
  // Nothing is published from here, and nothing updates itself.
  publish: null,
  // The reason for each stands in docs/security.md.
  electronFuses: {
    runAsNode: false,
    enableNodeOptionsEnvironmentVariable: false,
    enableNodeCliInspectArguments: false,
    grantFileProtocolExtraPrivileges: false,
    onlyLoadAppFromAsar: true,
    enableEmbeddedAsarIntegrityValidation: true,
  },
  // The older runtime of AppImages wants libfuse2, which systems do not have any more, and starts without the sandbox.
  toolsets: { appimage: '1.0.3' },
  // Info.plist and the desktop entry; Windows is told at the start (opened-links.ts).
  protocols: { name: 'Link to an object', schemes: ['coffer'] },
  linux: {
    target: ['AppImage', 'deb', 'rpm'].map((target) => ({ target, arch: ['x64', 'arm64'] })),
    // `coffer` is the command.
    executableName: 'coffer-desktop',
    category: 'Utility',
    synopsis: summary,
    description: summary,
    desktop: { entry: makeDesktopEntry() },
    icon: 'packaging/icons',
    syncDesktopName: true,
    files: [keytar('linux-${arch}')],
    ...(COFFER_MAINTAINER && { maintainer: COFFER_MAINTAINER }),
  },
  // Beside Electron's libraries: libnotify and xdg-open, which it loads and starts, libsecret for the keychain's module, and for Node
  // libatomic and a C library of 2018. Both bring an AppArmor profile (electron/electron#41066).
  deb: {
    fpm: [
      filesOf('linux'),
      filesOf('deb'),
      '--iteration=1',
      `--deb-upstream-changelog=${join(root, 'CHANGELOG.md')}`,
      `--description=${summary}\n${description}`,
    ],
    packageCategory: 'utils',
    depends: [...Object.keys(electronLibraries), 'libnotify4', 'xdg-utils', 'libsecret-1-0', 'libatomic1',
      'libc6 (>= 2.28)'],
    // Electron shows its icon in the notification area without the library that electron-builder recommends.
    recommends: [],
  }, // oxfmt-ignore
  rpm: {
    fpm: [filesOf('linux'), `--description=${description}`],
    depends: [...Object.values(electronLibraries), '(libnotify or libnotify4)', 'xdg-utils',
      '(libsecret or libsecret-1-0)', '(libatomic or libatomic1)', 'glibc >= 2.28'],
  }, // oxfmt-ignore
  win: {
    target: ['nsis', 'zip'].map((target) => ({ target, arch: ['x64', 'arm64'] })),
    executableName: 'coffer-desktop',
    icon: 'packaging/icon.ico',
    files: [keytar('win32-${arch}')],
    ...windowsSigning(process.env),
  },
  // For the person alone, without asking for an administrator.
  nsis: {
    oneClick: true,
    perMachine: false,
    packElevateHelper: false,
    differentialPackage: false,
    // One for each processor: together they are as large as both.
    buildUniversalInstaller: false,
    include: 'packaging/installer.nsh',
  },
  mac: {
    target: ['dmg', 'zip'].map((target) => ({ target, arch: ['universal'] })),
    category: 'public.app-category.utilities',
    icon: 'packaging/icon.icns',
    hardenedRuntime: true,
    ...macSigning(process.env),
    // macOS 15 and newer show it when they ask for the local network (Apple's TN3179). Apps without it were refused without a question.
    extendInfo: {
      NSLocalNetworkUsageDescription:
        'Coffer connects to services, proxies and team servers in your network whose addresses you have entered.',
    },
    // A universal program is made of two that hold the same files, so both have both.
    files: [keytar('darwin-x64', 'darwin-arm64')],
    x64ArchFiles: '**/keytar/prebuilds/**',
  },
  dmg: { writeUpdateInfo: false },
};

export default configuration;
