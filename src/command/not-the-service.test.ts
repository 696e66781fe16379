import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startFaultServer, type Fault } from '../../e2e/faults/fault-server.ts';
import { startInMemory } from '../../test-support/command/in-process.ts';
import { createQuickClock, makeTestFolder } from '../../test-support/main/test-ports.ts';

/** Commands with `COFFER_ADDRESS` of a service in whose place something else answers. */
async function openBehind(lie: Fault, method?: string) {
  const files = await makeTestFolder();
  const service = await startFaultServer();
  onTestFinished(() => service.close());
  service.objects.set('a.txt', { bytes: Buffer.from('stored'), classification: null });
  writeFileSync(join(files, 'a.txt'), 'here');
  mkdirSync(join(files, 'to'));
  const { PATH } = process.env;
  const env = { PATH, HOME: files, COFFER_ADDRESS: service.baseAddress, COFFER_TOKEN: service.token };
  service.plan = (request) => (method === undefined || request.method === method ? lie : null);
  const run = async (...words: string[]) => {
    const running = startInMemory(words, {
      cwd: files,
      env,
      ...(method && { clock: createQuickClock(500) }),
    });
    running.end();
    return { code: await running.ended, stdout: running.stdout(), stderr: running.stderr() };
  };
  return { files, run, service };
}

const html = { 'content-type': 'text/html; charset=utf-8' };
const json = { 'content-type': 'application/json' };
const page = 'A web page answered instead of the service. 127.0.0.1:';
const everything = 'This isn’t the service. 127.0.0.1:';
const lies: readonly [string, Fault, number, string][] = [
  ['a sign-in page', { status: 200, headers: html, body: '<title>Sign in</title>' }, 5, page],
  ['a redirect to it', { status: 302, headers: { location: 'https://login.example/' } }, 5, page],
  ['an error in JSON', { status: 200, headers: json, body: '{"error":"sign in"}' }, 1, everything],
  ['nothing', { status: 200 }, 1, everything],
];

describe.each(lies)('%s for everything', (_name, lie, code, text) => {
  test.each([
    ['get', ['get', 'a.txt', '--to', 'to']],
    ['get to standard output', ['get', 'a.txt', '-o', '-']],
    ['check', ['check', 'a.txt']],
    ['put', ['put', 'a.txt']],
    ['a nightly put', ['put', 'a.txt', '--if-exists', 'skip']],
    ['rm', ['rm', '--yes', 'a.txt']],
  ])('%s takes it for no service', async (_command, words) => {
    const { files, run, service } = await openBehind(lie);
    // Signing in helps against a page: then a command waits, unless it is told not to.
    const ended = await run(...words, '--wait', code === 5 ? '0' : '60');
    expect(ended).toMatchObject({ code, stdout: '' });
    expect(ended.stderr).toContain(text);
    expect(existsSync(join(files, 'to', 'a.txt'))).toBe(false);
    expect(service.objects.get('a.txt')?.bytes.toString()).toBe('stored');
  });
});

test.each([0, 1])(
  'an upload that alone is answered so fails, and is not sent for ever (%i)',
  async (which) => {
    const { files, run, service } = await openBehind(lies[which]?.[1] ?? {}, 'POST');
    writeFileSync(join(files, 'b.txt'), 'new');
    const { code, stderr } = await run('put', 'b.txt', '--wait', '3600');
    expect(code).toBe(1);
    expect(stderr).toContain('b.txt: This doesn’t look like the service.');
    expect(service.objects.has('b.txt')).toBe(false);
    expect(service.requests.filter(({ method }) => method === 'POST').length).toBeLessThanOrEqual(6);
  },
);
