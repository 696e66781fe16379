import { execFileSync } from 'node:child_process';
import { closeSync, openSync, readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openBuildMachine } from '../../test-support/command/build-machine.ts';
import { startInPipe } from '../../test-support/command/start-command.ts';
import { eventually } from '../../test-support/eventually.ts';

/** The paths of the files that a process has open. */
function openFiles(pid: number): string[] {
  const folder = `/proc/${pid}/fd`;
  return readdirSync(folder).flatMap((name) => {
    try {
      return readlinkSync(join(folder, name));
    } catch {
      return [];
    }
  });
}

describe.skipIf(process.platform !== 'linux')('an interrupt ends', () => {
  test.each([
    ['a put of a FIFO whose writer says nothing', ['put', 'pipe', '--as', 'x'], true],
    ['a list of files in a FIFO that nobody writes to', ['put', '--files-from', 'pipe'], false],
    ['a template in a FIFO whose writer says nothing', ['inject', '-i', 'pipe', '-o', 'out'], true],
  ])('%s', async (_what, words, hasWriter) => {
    const machine = await openBuildMachine();
    const pipe = join(machine.run.cwd, 'pipe');
    execFileSync('mkfifo', [pipe]);
    if (hasWriter) {
      const writer = openSync(pipe, 'r+');
      onTestFinished(() => closeSync(writer));
    }
    const running = startInPipe(words, machine.run);
    await eventually(() => expect(openFiles(running.pid)).toContain(pipe));
    running.kill('SIGINT');
    expect(await running.ended).toBe(130);
    expect(running.stderr()).toBe('');
    expect(machine.left()).toEqual([]);
  });
});
