import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { BuildResult } from 'electron-builder';
import { z } from 'zod';
import { nodeVersion } from './command/node-program.ts';

const root = join(import.meta.dirname, '..');

/**
 * Writes a checksum beside each package, and one list of components for all of them.
 * @returns the paths of the new files
 */
export async function publishFacts({ outDir, artifactPaths }: BuildResult): Promise<string[]> {
  const { version } = readPackage(join(root, 'package.json'));
  // The command alone is packed by `addCommand`, so electron-builder does not know of it.
  const commands = readdirSync(outDir).filter((name) => /^coffer-command-.*\.(tar\.gz|zip)$/.test(name));
  const packages = artifactPaths.filter((path) => !path.endsWith('.blockmap'));
  const bom = join(outDir, `coffer-${version}.cdx.json`);
  writeFileSync(bom, `${JSON.stringify(makeBom(), null, 2)}\n`);
  const checksums = [...packages, ...commands.map((name) => join(outDir, name))].map(writeChecksum);
  return [bom, ...(await Promise.all(checksums))];
}

/** In the format of `sha256sum`. */
async function writeChecksum(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  writeFileSync(`${path}.sha256`, `${hash.digest('hex')}  ${basename(path)}\n`);
  return `${path}.sha256`;
}

const bomSchema = z.looseObject({
  bomFormat: z.literal('CycloneDX'),
  metadata: z.looseObject({ component: z.looseObject({}) }),
  components: z.array(
    z.looseObject({ purl: z.string(), 'bom-ref': z.string(), scope: z.string().optional() }),
  ),
  dependencies: z.array(z.looseObject({ ref: z.string() })),
});

/**
 * The list of components in CycloneDX format, made by npm from the lock file, plus Electron and the command's Node, which packages
 * contain although they are build tools. Without npm's time and random number: the same sources give the same list.
 */
export function makeBom(): z.infer<typeof bomSchema> {
  const isWindows = process.platform === 'win32';
  const text = execFileSync(
    isWindows ? 'npm.cmd' : 'npm',
    ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only', '--include', 'dev'],
    // Windows starts *.cmd in a shell only; the arguments are constants.
    {
      cwd: root,
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
      shell: isWindows,
      stdio: ['ignore', 'pipe', 'ignore'],
    },
  );
  const bom = bomSchema.parse(JSON.parse(text));
  // `--omit dev` would also omit packages that development needs as well, such as React.
  bom.components = bom.components.filter(({ scope }) => scope === 'required');
  const kept = new Set([bom.metadata.component, ...bom.components].map((each) => each['bom-ref']));
  bom.dependencies = bom.dependencies.filter(({ ref }) => kept.has(ref));
  delete bom['serialNumber'];
  delete bom.metadata['timestamp'];
  // npm uses the folder's name.
  bom.metadata.component['name'] = readPackage(join(root, 'package.json')).name;
  const { version } = readPackage(join(root, 'node_modules', 'electron', 'package.json'));
  bom.components.push(
    {
      type: 'framework',
      name: 'electron',
      version,
      'bom-ref': `electron@${version}`,
      purl: `pkg:npm/electron@${version}`,
    },
    {
      type: 'platform',
      name: 'node',
      version: nodeVersion,
      'bom-ref': `node@${nodeVersion}`,
      purl: `pkg:generic/node@${nodeVersion}`,
    },
  );
  return bom;
}

function readPackage(path: string): { name: string; version: string } {
  return JSON.parse(readFileSync(path, 'utf8')) as { name: string; version: string };
}
