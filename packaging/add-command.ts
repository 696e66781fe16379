import { join } from 'node:path';
import { Arch, type AfterPackContext } from 'electron-builder';
import { makeArchive } from './command/make-archive.ts';
import { makeProgram, type ProgramOptions } from './command/make-program.ts';
import { targets } from './command/node-program.ts';

/** Puts the command's own program beside the app's archive, signed on Windows like the app. */
export function addCommand(packed: AfterPackContext): Promise<void> {
  return addProgram(packed);
}

/** As `addCommand`. @param options of the program, and the gzip level of the command's own archive */
export async function addProgram(
  packed: AfterPackContext,
  { level, ...options }: ProgramOptions & { level?: number } = {},
): Promise<void> {
  const { packager, electronPlatformName: system, arch } = packed;
  // The universal app is made of two that have their own.
  if (arch === Arch.universal) return;
  const target = targets.find((each) => each === `${system}-${Arch[arch]}`);
  if (!target) throw new Error(`There is no program of the command for ${system}-${Arch[arch]}.`);
  const folder = folderOf(packed);
  await makeProgram(target, folder, options);
  if ('signIf' in packager) await (packager as Signing).signIf(join(folder, 'coffer.exe'));
  if (system !== 'darwin') await archive(packed, level);
}

/** Packs the command alone, too. On macOS only here, because electron-builder signs everything in the app at once. */
export async function archiveSigned(signed: AfterPackContext): Promise<void> {
  if (signed.electronPlatformName === 'darwin') await archive(signed);
}

/** A method that only electron-builder's Windows packager has. */
interface Signing {
  signIf(file: string): Promise<boolean>;
}

const folderOf = ({ appOutDir, packager }: AfterPackContext) =>
  join(packager.getResourcesDir(appOutDir), 'command');

async function archive(packed: AfterPackContext, level?: number): Promise<void> {
  const { packager, arch, outDir } = packed;
  const name = `${packager.platform.buildConfigurationKey}-${Arch[arch]}`;
  await makeArchive(folderOf(packed), name, outDir, level);
}
