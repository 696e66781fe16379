import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { afterAll, expect, test } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'asar-'));
const file = join(folder, 'photos.asar');
writeFileSync(file, 'mine');
mkdirSync(join(folder, 'real.asar'));
writeFileSync(join(folder, 'real.asar', 'inside.txt'), 'inside');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs `code` in a thread of the stand-in, where `fs` is Electron's. */
async function inThread(code: string): Promise<unknown> {
  const asar = pathToFileURL(join(import.meta.dirname, 'asar.ts')).href;
  const source = `
    import { parentPort, workerData } from 'node:worker_threads';
    import { readFile } from 'node:fs/promises';
    import * as nodeFs from 'node:fs';
    const { file, folder } = workerData;
    const ownFs = await import(workerData.ownFs);
    parentPort.postMessage(await (async () => { ${code} })());`;
  const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(source)}`), {
    execArgv: ['--import', asar, '--disable-warning=ExperimentalWarning'],
    workerData: {
      file,
      folder,
      ownFs: pathToFileURL(join(import.meta.dirname, '../src/main/local-files/fs.ts')).href,
    },
  });
  return new Promise((resolve, reject) => worker.once('message', resolve).once('error', reject));
}

test("Electron's fs takes a file named *.asar for a broken archive, and reads folders of that name", async () => {
  const answer = await inThread(`
    const inside = await readFile(folder + '/real.asar/inside.txt', 'utf8');
    const refused = await readFile(file, 'utf8').catch((cause) => cause.message);
    return [inside, refused, nodeFs.existsSync(file)];`);
  expect(answer).toEqual(['inside', `Invalid package ${file}`, false]);
});

test("Coffer's file system reads and writes it as the file that it is, in a thread too", async () => {
  const answer = await inThread(`
    const read = await ownFs.readFile(file, 'utf8');
    const { size } = await ownFs.lstat(file);
    let streamed = '';
    for await (const chunk of ownFs.createReadStream(file, 'utf8')) streamed += chunk;
    const handle = await ownFs.open(folder + '/new.asar', 'wx');
    await handle.writeFile('new');
    await handle.close();
    await ownFs.rename(folder + '/new.asar', folder + '/named.asar');
    return [read, size, streamed, ownFs.existsSync(folder + '/named.asar')];`);
  expect(answer).toEqual(['mine', 4, 'mine', true]);
});
