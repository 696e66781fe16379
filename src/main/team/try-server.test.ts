import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { makeFolder } from '../../../test-support/main/database/folder.ts';
import { ownPort } from '../../../e2e/faults/own-port.ts';
import { readInvitation } from './invitation.ts';

const program = fileURLToPath(new URL('../../../test-support/main/team/team-server.ts', import.meta.url));

/** @returns its output until it runs, and how to end it like Ctrl+C */
async function start(args: string[]): Promise<{ output: string; end: () => Promise<void> }> {
  const child = spawn(process.execPath, ['--no-warnings', program, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const end = async () => {
    child.kill('SIGINT');
    expect(await exited).toEqual([0, null]);
  };
  onTestFinished(async () => {
    if (child.exitCode === null) await end();
  });
  let output = '';
  for await (const piece of child.stdout.iterator({ destroyOnReturn: false })) {
    output += String(piece);
    if (output.includes('Ctrl+C stops it.')) return { output, end };
  }
  throw new Error(`Ended with: ${output}`);
}

const invitationsIn = (output: string) => [...output.matchAll(/^(\w+): (coffer-team:\S+)$/gm)];

// On Windows Ctrl+C cannot be sent to another program.
test.skipIf(process.platform === 'win32')(
  'npm run team-server prints two invitations, and serves the same list the next time',
  { tags: 'all' },
  async () => {
    await using folder = await makeFolder();
    const port = await ownPort();
    const args = ['--data', join(folder.path, 'server'), '--port', String(port)];
    const first = await start(args);
    const invited = invitationsIn(first.output).map(([, name, line = '']) => ({
      name,
      ...readInvitation(line),
    }));
    expect(invited).toMatchObject([
      { name: 'Anna', role: 'anna', host: '127.0.0.1', port, database: 'team' },
      { name: 'Ben', role: 'ben', host: '127.0.0.1', port, database: 'team' },
    ]);
    await first.end();

    const second = await start(args);
    expect(invitationsIn(second.output)).toEqual([]);
    expect(second.output).toContain('Anna was invited at an earlier start');
    expect(second.output).toContain('Ben was invited at an earlier start');
    await second.end();

    const third = await start([...args, '--invite']);
    const anew = invitationsIn(third.output).map(([, , line = '']) => readInvitation(line));
    expect(anew.map(({ list }) => list)).toEqual(invited.map(({ list }) => list));
    expect(anew.map(({ password }) => password)).not.toEqual(invited.map(({ password }) => password));
  },
);
