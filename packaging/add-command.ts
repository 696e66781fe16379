import { cpSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Arch, type AfterPackContext } from 'electron-builder';

const root = join(import.meta.dirname, '..');

/**
 * Copies the command line beside the archive, laid out as in a checkout, because Node cannot read archives.
 * `extraResources` would remove the same files from the archive.
 */
export async function addCommand(packed: AfterPackContext): Promise<void> {
  const { appOutDir, packager, electronPlatformName: system, arch } = packed;
  const command = join(packager.getResourcesDir(appOutDir), 'command');
  const copy = (from: string, to = from) => cpSync(join(root, from), join(command, to), { recursive: true });
  mkdirSync(join(command, 'out', 'main'), { recursive: true });
  for (const name of readdirSync(join(root, 'out', 'main')))
    if (name.endsWith('.js') && name !== 'index.js') copy(join('out', 'main', name));
  copy('bin');
  copy('package.json');
  copy(join('packaging', 'coffer.1'), 'coffer.1');
  const prebuilds = system === 'darwin' ? ['darwin-x64', 'darwin-arm64'] : [`${system}-${Arch[arch] ?? ''}`];
  const keytar = join('node_modules', 'keytar');
  for (const name of ['package.json', 'LICENSE.md', join('lib', 'keytar.js')]) copy(join(keytar, name));
  for (const name of prebuilds) copy(join(keytar, 'prebuilds', name, 'keytar.node'));
}
