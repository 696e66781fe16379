import { readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startLocalService } from '../../local-service/service.ts';
import { AppFailure } from '../../shared/app-failure.ts';
import type { Input, Output, ProcedureName } from '../../shared/contract.ts';
import { draftOf } from '../services/draft.ts';
import { coffer, startInPipe } from '../../../test-support/command/start-command.ts';
import {
  askAsOtherProgram,
  otherProgram,
  startOtherProgram,
} from '../../../test-support/command/start-other-program.ts';
import { eventually } from '../../../test-support/eventually.ts';
import { openApp } from '../../../test-support/main/test-app.ts';
import { makeTestFolder } from '../../../test-support/main/test-ports.ts';

/* Other programs of the same person, as real processes that want a secret. The test plays the window. */

const token = 'token-of-ada';
const value = 'Zq9-tin-otter-lantern';

async function openService() {
  const server = await startLocalService({
    dataFolder: await makeTestFolder(),
    token,
    masterKey: new Uint8Array(32).fill(7),
    processingMs: 5,
  });
  onTestFinished(() => server.close());
  return server;
}

/** The app, with the secrets `db/pw` and `db/root`. */
async function open() {
  const server = await openService();
  const { app, userData } = await openApp();
  async function call<N extends ProcedureName>(name: N, input: Input<N>): Promise<Output<N>> {
    const reply = await app.router(name, input);
    if (!reply.ok) throw new AppFailure(reply.error);
    return reply.value as Output<N>;
  }
  const { id: serviceId } = await call('services.add', {
    draft: draftOf('Archive', server.baseAddress),
    token,
  });
  const identifiers = ['db/pw', 'db/root'];
  for (const identifier of identifiers)
    await call('secrets.store', { serviceId, identifier, source: { kind: 'text', text: value } });
  await eventually(async () => {
    const { objects } = await call('command.find', { serviceId, kind: 'secret', identifiers });
    expect(objects.map((row) => row?.state)).toEqual(['stored', 'stored']);
  });
  const asked = () =>
    eventually(async () => {
      const [first] = (await call('approvals.list', undefined)).asks;
      if (!first) throw new Error('nobody asks');
      return first;
    });
  const allow = async () => {
    const { id, ...rest } = await asked();
    await call('approvals.answer', { id, answer: 'once' });
    return rest;
  };
  const cwd = await makeTestFolder();
  const start = (...words: string[]) => startInPipe(['--user-data-dir', userData, ...words], { cwd });
  return { call, userData, socket: join(userData, 'agent.sock'), cwd, start, allow };
}

const refused = { code: 'approvalRefused', reason: 'unproven' };

describe.skipIf(process.platform !== 'linux')('another program', () => {
  test('between a command and the app reads no value, and cannot ask for another secret', async () => {
    const { call, socket, cwd, start, allow } = await open();
    const log = join(cwd, 'log');
    const relay = startOtherProgram(['relay', socket, log, 'db/root', 'db/pw']);
    await eventually(() => expect(relay.said.out).toContain('ready'));
    const get = start('secret', 'get', 'db/pw');
    await allow();
    expect(await get.ended).toBe(0);
    expect(get.stdout()).toBe(value);
    const passed = readFileSync(log, 'utf8');
    expect(passed).toContain('command.readSecrets');
    for (const encoding of ['utf8', 'base64', 'hex'] as const)
      expect(passed).not.toContain(Buffer.from(value).toString(encoding));
    const changed = start('secret', 'get', 'db/root');
    expect(await changed.ended).toBe(7);
    expect(changed.stderr()).toContain('couldn’t confirm which program is asking');
    expect((await call('approvals.list', undefined)).asks).toEqual([]);
  });

  test('cannot ask in the name of a command that runs, or of one that it becomes', async () => {
    const { call, socket, userData, start } = await open();
    const words = ['--user-data-dir', userData, 'run', '--', 'sh', '-c', 'echo up; cat'];
    const running = start(...words.slice(2));
    await eventually(() => expect(running.stdout()).toContain('up'));
    const becomes = `exec:${JSON.stringify([...coffer, ...words])}`;
    for (const as of [String(running.pid), becomes, 'self'])
      expect(await askAsOtherProgram(socket, 'db/pw', as)).toEqual({
        'command.readSecrets': refused,
        'command.copySecret': refused,
      });
    expect((await call('approvals.list', undefined)).asks).toEqual([]);
    running.end();
  });

  test('gets no line for another computer, and the command says where it is', async () => {
    const { start } = await open();
    const invite = start('team', 'invite-computer');
    expect(await invite.ended).toBe(7);
    expect(invite.stdout()).toBe('');
    expect(invite.stderr()).toContain('Choose Settings, Team, Add another computer in its window');
  });

  test('asks in its own name', async () => {
    const { socket, allow } = await open();
    const asking = askAsOtherProgram(socket, 'db/pw', 'marked');
    const { program, command, isProven } = await allow();
    expect({ program, isProven }).toEqual({ program: command, isProven: true });
    expect(program.slice(0, 3)).toEqual([
      realpathSync(process.execPath),
      '--disable-warning=ExperimentalWarning',
      otherProgram,
    ]);
    expect(await asking).toMatchObject({ value });
  });
});
