import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { readCleartextMessage, readKey, verify, type Key } from 'openpgp';

/** Primary keys of those who release Node, from *Release keys* in the README of nodejs/node. Some sign with subkeys. */
const releasers = {
  '5BE8A3F6C8A5C01D106C0AD820B1A390B168D356': 'Antoine du Hamel',
  DD792F5973C6DE52C432CBDAC77ABFA00DDBF2B7: 'Juan José Arboleda',
  CC68F5A3106FF448322E48ED27F5E38D5B0A215F: 'Marco Ippolito',
  '8FCCA13FEF1D0C2E91008E09770F7A9A5AE15600': 'Michaël Zasso',
  '890C08DB8579162FEE0DF9DB8BEAB4DFCF555EF4': 'Rafael Gonzaga',
  C82FA3AE1CBEDC6BE46B9360C43CEC45C17AB93C: 'Richard Lau',
  '108F52B48DB57BB0CC439B2997B01419BD92F80A': 'Ruy Adorno',
  A363A499291CBBC940DD62E41F10027AF002F8B0: 'Ulises Gascón',
};

/** Where Node is released. The keys may come from anywhere: their fingerprints say whose they are. */
const nodejs = {
  dist: 'https://nodejs.org/dist',
  keys: 'https://raw.githubusercontent.com/nodejs/release-keys/HEAD/keys',
  fingerprints: Object.keys(releasers),
};

/** Nothing was downloaded, so nothing was found to be wrong either. */
export class UnreachableError extends Error {}

/**
 * Downloads Node's program for a system and processor from nodejs.org to `folder`. Its sum must be in the list that a releaser has signed.
 * @throws UnreachableError if a server does not answer
 * @throws if a signature or a sum is not right
 */
export async function fetchNode(
  target: string,
  version: string,
  folder: string,
  from = nodejs,
): Promise<string> {
  const release = `${from.dist}/v${version}`;
  const isWindows = target.startsWith('win32-');
  const name = isWindows ? `${target.replace('32', '')}/node.exe` : `node-v${version}-${target}.tar.gz`;
  const sums = await readSums(`${release}/SHASUMS256.txt.asc`, from);
  const expected = sums.get(name);
  if (!expected) throw new Error(`The signed list of Node ${version} has no ${name}.`);
  const body = await get(`${release}/${name}`);
  if (createHash('sha256').update(body).digest('hex') !== expected)
    throw new Error(
      `${release}/${name} is not the file whose sum was signed. Report it to Node (nodejs.org/security).`,
    );
  const path = join(folder, isWindows ? 'node.exe' : 'node.tar.gz');
  writeFileSync(path, body);
  if (isWindows) return path;
  const program = `node-v${version}-${target}/bin/node`;
  await promisify(execFile)('tar', ['-xzf', 'node.tar.gz', program], { cwd: folder });
  return join(folder, program);
}

/** The SHA-256 sums by name of file, after their signature is verified. */
async function readSums(address: string, from: typeof nodejs): Promise<Map<string, string>> {
  const cleartextMessage = (await get(address)).toString();
  const found = await Promise.allSettled(from.fingerprints.map((each) => readReleaser(each, from)));
  const verificationKeys = found.filter((each) => each.status === 'fulfilled').map(({ value }) => value);
  const { data } = await readCleartextMessage({ cleartextMessage })
    .then((message) => verify({ message, verificationKeys, expectSigned: true }))
    .catch((cause: unknown) => {
      // It may be signed with a key that is not there.
      const missing = found.find((each) => each.status === 'rejected')?.reason as Error | undefined;
      throw missing ?? new Error(`${address} is not signed by anybody who releases Node.`, { cause });
    });
  return new Map(
    data
      .split('\n')
      .map((line) => line.split(/ +/) as [string, string])
      .map(([sum, name]) => [name, sum]),
  );
}

async function readReleaser(fingerprint: string, { keys }: typeof nodejs): Promise<Key> {
  const address = `${keys}/${fingerprint}.asc`;
  const key = await readKey({ armoredKey: (await get(address)).toString() });
  if (key.getFingerprint().toUpperCase() !== fingerprint)
    throw new Error(`${address} is the key ${key.getFingerprint()}.`);
  return key;
}

async function get(address: string): Promise<Buffer> {
  try {
    const response = await fetch(address);
    if (!response.ok) throw new Error(`it answers ${response.status}`);
    return Buffer.from(await response.arrayBuffer());
  } catch (cause) {
    const why =
      cause instanceof Error ? (cause.cause instanceof Error ? cause.cause.message : cause.message) : '';
    throw new UnreachableError(`${address} cannot be downloaded: ${why}.`, { cause });
  }
}
