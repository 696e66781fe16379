import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { UploadItem } from '../../src/main/transfers/queue/record-factory.ts';
import { benchToken } from './service.ts';

const command = promisify(execFile);
const always = [`header = "Authorization: Bearer ${benchToken}"`, 'header = "Expect:"', 'silent', 'fail'];

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
  items: readonly UploadItem[],
  prefix = '',
): Promise<void> {
  const post = ({ path, fileName }: UploadItem) => [
    'request = POST',
    'output = /dev/null',
    `upload-file = "${path}"`,
    `url = "${baseAddress}/api/data/${prefix}${fileName}"`,
  ];
  await curl(folder, atOnce, items.map(post));
}
