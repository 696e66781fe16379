import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { UploadItem } from '../../src/main/transfers/queue/record-factory.ts';
import { benchAuthority, benchToken } from './service.ts';

const command = promisify(execFile);
const always = [
  `header = "Authorization: Bearer ${benchToken}"`,
  'header = "Expect:"',
  `cacert = "${benchAuthority}"`,
  'silent',
  'show-error',
  'fail',
];

type File = Pick<UploadItem, 'path' | 'fileName'>;

/** One curl process for all requests, over its connections; each request is the lines of its configuration. */
export async function curl(folder: string, atOnce: number, requests: readonly string[][]): Promise<void> {
  const config = join(folder, 'curl.conf');
  await writeFile(config, requests.map((lines) => [...always, ...lines, ''].join('\n')).join('next\n'));
  const parallel = requests.length > 1 ? ['--parallel', '--parallel-max', String(atOnce)] : [];
  await command('curl', [...parallel, '-K', config], { maxBuffer: 1e9 });
}

/** Uploads files. @param prefix of their identifiers */
export async function postWithCurl(
  folder: string,
  baseAddress: string,
  atOnce: number,
  items: readonly File[],
  prefix = '',
): Promise<void> {
  const post = ({ path, fileName }: File) => [
    'request = POST',
    'output = /dev/null',
    `upload-file = "${path}"`,
    `url = "${baseAddress}/api/data/${prefix}${fileName}"`,
  ];
  await curl(folder, atOnce, items.map(post));
}

/** Downloads what was uploaded. @param into a folder that exists */
export async function getWithCurl(
  folder: string,
  baseAddress: string,
  atOnce: number,
  items: readonly File[],
  into: string,
  prefix = '',
): Promise<void> {
  const get = ({ fileName }: File) => [
    `output = "${join(into, fileName)}"`,
    `url = "${baseAddress}/api/data/${prefix}${fileName}"`,
  ];
  await curl(folder, atOnce, items.map(get));
}
