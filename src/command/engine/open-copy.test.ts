import type * as childProcess from 'node:child_process';
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { makeTestFolder } from '../../../test-support/main/test-ports.ts';
import { eventually } from '../../../test-support/eventually.ts';
import type { CommandIo } from '../terminal/io.ts';
import { openCopy } from './open-copy.ts';

// Not as a spy of the whole module, which would also replace the methods of every EventEmitter.
vi.mock('node:child_process', async (original) => {
  const real = await original<typeof childProcess>();
  return { ...real, spawn: vi.fn<typeof childProcess.spawn>(real.spawn) };
});

describe.skipIf(process.platform === 'win32')('on Windows', () => {
  const openIn = async (folder: string, path: string) =>
    openCopy(path, {
      env: { PATH: `${folder}:${process.env['PATH']}` },
      cwd: folder,
      platform: 'win32',
      stdin: { isTTY: false },
    } as unknown as CommandIo);

  test('Explorer opens a file without a shell that interprets its name', async () => {
    const folder = await makeTestFolder();
    const path = join(folder, 'a,b=c & d %PATH%.txt');
    writeFileSync(path, '');
    // Explorer always exits with 1.
    const script = '#!/bin/sh\nprintf %s "$*" > "$0.log.part"; mv "$0.log.part" "$0.log"; exit 1\n';
    writeFileSync(join(folder, 'explorer.exe'), script, { mode: 0o755 });
    expect(await openIn(folder, path)).toBe(true);
    await eventually(() => expect(readFileSync(join(folder, 'explorer.exe.log'), 'utf8')).toBe(`"${path}"`));
  });

  test('the command line is quoted, and passed as it is', async () => {
    await openIn(await makeTestFolder(), '/C:/opened/a,b=c.txt');
    const verbatim = expect.objectContaining({ windowsVerbatimArguments: true });
    expect(spawn).toHaveBeenLastCalledWith('explorer.exe', ['"/C:/opened/a,b=c.txt"'], verbatim);
  });

  test('Explorer gets the folder of a file of a kind that is not opened', async () => {
    const folder = await makeTestFolder();
    const script = '#!/bin/sh\nprintf %s "$*" > "$0.log.part"; mv "$0.log.part" "$0.log"; exit 1\n';
    writeFileSync(join(folder, 'explorer.exe'), script, { mode: 0o755 });
    expect(await openIn(folder, join(folder, 'a.pdf.lnk'))).toBe(true);
    await eventually(() =>
      expect(readFileSync(join(folder, 'explorer.exe.log'), 'utf8')).toBe(`"${folder}"`),
    );
  });

  test('reports failure without Explorer', async () => {
    const folder = await makeTestFolder();
    expect(await openIn(folder, join(folder, 'a.txt'))).toBe(false);
  });
});
