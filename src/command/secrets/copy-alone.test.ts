import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startLocalService } from '../../local-service/service.ts';
import { createQuickClock, makeTestFolder } from '../../../test-support/main/test-ports.ts';
import { startInMemory } from '../../../test-support/command/in-process.ts';
import { eventually } from '../../../test-support/eventually.ts';

/* `coffer secret copy` without the app, with fake clipboard programs. */

const token = 'token-of-ada';
const value = 'Zq9-tin-otter-ß-lantern';

/** A clipboard in a file. `refuses`: copying has no effect; `sticks`: it cannot be cleared. */
const scripts = {
  keeps: 'case "$*" in *primary*) exit 1 ;; *-out*) cat "$BOARD" ;; *) cat > "$BOARD" ;; esac',
  refuses: 'case "$*" in *primary*) exit 1 ;; *-out*) printf other ;; *) cat > /dev/null ;; esac',
  sticks:
    'case "$*" in *primary*) exit 1 ;; *-out*) cat "$BOARD" ;; *) [ -s "$BOARD" ] || cat > "$BOARD" ;; esac',
};

async function open(script: keyof typeof scripts | null) {
  const [folder, programs] = [await makeTestFolder(), await makeTestFolder()];
  const service = await startLocalService({
    dataFolder: folder,
    token,
    masterKey: new Uint8Array(32).fill(7),
    processingMs: 5,
  });
  onTestFinished(() => service.close());
  const board = join(programs, 'board');
  writeFileSync(board, '');
  if (script) {
    const path = join(programs, 'xclip');
    writeFileSync(path, `#!/bin/sh\n${scripts[script]}\n`);
    chmodSync(path, 0o755);
  }
  const env = {
    PATH: script ? `${programs}:/usr/bin:/bin` : programs,
    BOARD: board,
    DISPLAY: ':9',
    HOME: programs,
    TMPDIR: programs,
    COFFER_ADDRESS: service.baseAddress,
    COFFER_TOKEN: token,
  };
  const start = (words: string[], times?: number) =>
    startInMemory(words, { cwd: programs, env, ...(times && { clock: createQuickClock(times) }) });
  const stored = start(['secret', 'new', 'db/pw']);
  stored.end(value);
  expect(await stored.ended).toBe(0);
  return { start, onBoard: () => readFileSync(board, 'utf8') };
}

describe.skipIf(process.platform !== 'linux')('copy without the app', () => {
  test('copies with a program, and runs until it has cleared the clipboard', async () => {
    const { start, onBoard } = await open('keeps');
    const copy = start(['secret', 'copy', 'db/pw'], 20);
    await eventually(() => expect(onBoard()).toBe(value));
    expect(await copy.ended).toBe(0);
    expect(onBoard()).toBe('');
    expect(copy.stdout()).toMatch(/^db\/pw: on the clipboard, for [\d,]+ s\n$/);
    expect(copy.stderr()).toBe('It is cleared then, or at once on Ctrl+C.\nCleared.\n');
  });

  test('clears it on Ctrl+C', async () => {
    const { start, onBoard } = await open('keeps');
    const copy = start(['secret', 'copy', 'db/pw']);
    await eventually(() => expect(copy.stderr()).toContain('Ctrl+C'));
    expect(onBoard()).toBe(value);
    copy.kill('SIGINT');
    expect(await copy.ended).toBe(130);
    expect(onBoard()).toBe('');
    expect(copy.stderr()).toContain('Cleared.');
  });

  test.each([
    [null, 'no program that copies was found'],
    ['refuses', 'Copying to the clipboard failed'],
  ] as const)('reports no success that was none: %s', async (script, text) => {
    const { start } = await open(script);
    const copy = start(['secret', 'copy', 'db/pw']);
    expect(await copy.ended).toBe(1);
    expect(copy.stdout()).toBe('');
    expect(copy.stderr()).toContain(text);
  });

  test('does not report the clipboard as cleared if the value is still there', async () => {
    const { start, onBoard } = await open('sticks');
    const copy = start(['secret', 'copy', 'db/pw']);
    await eventually(() => expect(copy.stderr()).toContain('Ctrl+C'));
    copy.kill('SIGINT');
    expect(await copy.ended).toBe(1);
    expect(onBoard()).toBe(value);
    expect(copy.stderr()).not.toContain('Cleared.');
    expect(copy.stderr()).toContain('still on the clipboard');
  });
});
