import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { gzipSync } from 'node:zlib';

/** What electron-builder gives to fpm for a Debian package. The files it names for a moment only are here as texts. */
export type Deb = {
  options: string[];
  depends: string[];
  desktopEntry: string;
  scripts: { install: string; remove: string };
};

/**
 * Makes the package in `folder` as fpm does (1.17, `lib/fpm/package/deb.rb` and `templates/deb.erb`): fpm itself is downloaded by
 * electron-builder when it packages.
 * @returns its path, beside `tree`: what it installs
 */
export function makeDeb({ options, depends, desktopEntry, scripts }: Deb, folder: string): string {
  const tree = join(folder, 'tree');
  const control = join(tree, 'DEBIAN');
  const write = (path: string, text: string | Buffer, mode = 0o644) => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    chmodSync(path, mode);
  };
  const { values, files } = parse(options);
  const value = (name: string) => values.get(name) ?? '';
  for (const [from, to] of files) {
    const path = join(tree, to);
    if (to.endsWith('.desktop')) write(path, desktopEntry);
    else cpSync(from, path, { recursive: true, verbatimSymlinks: true });
  }
  const documents = join(tree, 'usr', 'share', 'doc', value('name'));
  const version = [value('version'), values.get('iteration')].filter(Boolean).join('-');
  const entry = `${value('name')} (${version}) whatever; urgency=medium

  * Package created with FPM.

 -- ${value('maintainer')}  Thu, 01 Jan 2026 00:00:00 +0000
`;
  const changelog = values.get('deb-upstream-changelog');
  write(join(documents, `changelog${changelog ? '.Debian' : ''}.gz`), gzip(entry));
  if (changelog) write(join(documents, 'changelog.gz'), gzip(readFileSync(changelog)));
  const installed = filesBelow(tree);
  const kilobytes = Math.ceil(installed.reduce((sum, path) => sum + statSync(path).size, 0) / 1024);
  const [synopsis, ...more] = value('description').split('\n');
  const fields = {
    Package: value('name'),
    Version: version,
    License: value('license'),
    Vendor: value('vendor'),
    Architecture: value('architecture'),
    Maintainer: value('maintainer'),
    'Installed-Size': String(kilobytes),
    Depends: depends.join(', '),
    Section: values.get('category') ?? 'default',
    Priority: value('deb-priority'),
    Homepage: value('url'),
    Description: [synopsis, ...more.map((line) => (line.trim() === '' ? ' .' : ` ${line}`))].join('\n'),
  };
  const lines = Object.entries(fields).map(([name, text]) => `${name}: ${text}\n`);
  write(join(control, 'control'), lines.join(''));
  const sums = installed.map((path) => {
    const digest = createHash('md5').update(readFileSync(path)).digest('hex');
    return `${digest}  ${relative(tree, path)}\n`;
  });
  write(join(control, 'md5sums'), sums.join(''));
  write(join(control, 'postinst'), scripts.install, 0o755);
  write(join(control, 'postrm'), scripts.remove, 0o755);
  const made = join(folder, basename(value('package')));
  execFileSync('dpkg-deb', ['--root-owner-group', '-Zgzip', '-z1', '--build', tree, made], { stdio: 'pipe' });
  return made;
}

/** Options as `--name value` or `--name=value`, of which the last one holds, and files as `FROM=TO`. */
function parse(options: readonly string[]) {
  const values = new Map<string, string>();
  const files: [from: string, to: string][] = [];
  for (let at = 0; at < options.length; at++) {
    const [first = '', ...rest] = options[at]?.split('=') ?? [];
    if (!first.startsWith('--')) files.push([first, rest.join('=')]);
    else values.set(first.slice(2), rest.length > 0 ? rest.join('=') : (options[++at] ?? ''));
  }
  return { values, files };
}

const gzip = (text: string | Buffer) => gzipSync(text, { level: 9 });

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .sort();
}
