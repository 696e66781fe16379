import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { makeFolder } from '../../../test-support/main/database/folder.ts';
import { programFile } from '../../../test-support/main/program.ts';

const inUse = { error: { code: 'dataFolderInUse' } };

async function startHolder(path: string) {
  const writer = programFile('test-support/main/database/writer.ts');
  const child = spawn(process.execPath, ['--no-warnings', writer, path], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  await once(child.stdout, 'data');
  child.stdout.resume();
  return { child, exited };
}

describe('a data folder', () => {
  it('opens it once at a time in a process, and again after close', async () => {
    await using folder = await makeFolder();
    const first = await folder.open();
    await expect(folder.openAny()).rejects.toMatchObject(inUse);
    await first.documents.put('c', 'k', 1);
    await first.close();
    const { documents } = await folder.open();
    expect(await documents.get('c', 'k')).toBe(1);
  });

  it('refuses it while another process uses it, and opens it after that one was killed', async () => {
    await using folder = await makeFolder();
    const { child, exited } = await startHolder(folder.path);
    await expect(folder.openAny()).rejects.toMatchObject(inUse);
    child.kill('SIGKILL');
    await exited;
    const { documents } = await folder.open();
    expect(await documents.get('c', 'last')).toBeGreaterThanOrEqual(0);
  });

  it('does not open it in another process while it is in use', async () => {
    await using folder = await makeFolder();
    await folder.open();
    const writer = programFile('test-support/main/database/writer.ts');
    const child = spawn(process.execPath, ['--no-warnings', writer, folder.path], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let said = '';
    child.stderr.on('data', (piece) => (said += String(piece)));
    const [code] = (await once(child, 'close')) as [number];
    expect(code).not.toBe(0);
    expect(said).toContain('dataFolderInUse');
  });
});
