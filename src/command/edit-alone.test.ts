import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { oldBytes, openBuildMachine, type BuildMachine } from '../../test-support/command/build-machine.ts';
import { openWorld } from '../../test-support/command/command-world.ts';
import { FakeTerminal } from '../../test-support/command/fake-terminal.ts';
import { startInProcess } from '../../test-support/command/in-process.ts';
import { runLine } from '../../test-support/command/run-line.ts';
import { startInPipe, startInTerminal } from '../../test-support/command/start-command.ts';
import { eventually } from '../../test-support/eventually.ts';
import { createQuickClock } from '../../test-support/main/test-ports.ts';

/* `coffer edit` and `coffer open` without the app, most of it with COFFER_ADDRESS alone: the data folder goes with the command. */

const saves = 'printf mine > "$1"';

function writeEditor({ run: { cwd } }: BuildMachine, script: string): string {
  const path = join(cwd, 'editor');
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
  return path;
}

/** Starts `coffer edit a.txt` on a terminal in this process, with a shell script as the editor. */
function startEdit(machine: BuildMachine, script: string, words: readonly string[] = []) {
  const { cwd, env } = machine.run;
  const terminal = new FakeTerminal({ onInterrupt: () => running.signal('SIGINT') });
  const running = startInProcess(['edit', 'a.txt', ...words], {
    cwd,
    env: { ...env, EDITOR: writeEditor(machine, script) },
    stdin: terminal.input,
    stdout: terminal.output,
    stderr: terminal.output,
    terminal: terminal.streams,
    clock: createQuickClock(20),
  });
  const ended = running.ended.then((code) => {
    const said = terminal.written.replaceAll('\r\n', '\n').trim();
    const path = / are kept in (\S+)$/.exec(said)?.[1] ?? null;
    return { code, said, path, kept: path === null ? null : readFileSync(path, 'utf8') };
  });
  return { interrupt: () => running.signal('SIGINT'), ended };
}

/** What commands left in the temporary folder. */
const leftIn = ({ run }: BuildMachine) =>
  readdirSync(String(run.env['TMPDIR'])).filter((name) => name.startsWith('coffer-'));

describe.skipIf(process.platform === 'win32')('edit with COFFER_ADDRESS alone', () => {
  test('stores the save, and leaves nothing behind', async () => {
    const machine = await openBuildMachine('a.txt');
    expect(await startEdit(machine, saves).ended).toMatchObject({ code: 0, path: null });
    expect(machine.bytesOf('a@2.txt')).toBe('mine');
    // The newest version is edited next, as `get` fetches it.
    expect(await startEdit(machine, 'printf " and more" >> "$1"').ended).toMatchObject({ code: 0 });
    expect(machine.bytesOf('a@3.txt')).toBe('mine and more');
    const got = async (...words: string[]) => (await machine.coffer(['get', ...words, '-o', '-'])).stdout;
    expect(await got('a.txt')).toBe('mine and more');
    expect(await got('a@2.txt')).toBe('mine');
    expect(await got('a.txt', '--exact')).toBe(oldBytes('a.txt'));
    expect(leftIn(machine)).toEqual([]);
  });

  test.each([
    ['the upload is forbidden', 403, 7, 'the service has not confirmed your changes. '],
    ['the token is refused', 401, 4, 'The service refuses the token.'],
    ['the service fails', 500, 5, 'The service did not take it within 60 s.'],
  ])('keeps the save in a file if %s', async (_what, status, expected, why) => {
    const machine = await openBuildMachine('a.txt');
    machine.service.plan = ({ method }) => (method === 'POST' ? { status } : null);
    const { code, said, path, kept } = await startEdit(machine, saves, ['--wait', '60']).ended;
    expect({ code, kept }).toEqual({ code: expected, kept: 'mine' });
    expect(said).toContain(why);
    expect(statSync(String(path)).mode & 0o777).toBe(0o600);
    expect(statSync(dirname(String(path))).mode & 0o777).toBe(0o700);
    expect([...machine.service.objects.keys()]).toEqual(['a.txt']);
    expect(machine.left()).toEqual([]);
  });

  test.each(['changed', 'deleted'])(
    'keeps the save in a file if the object was %s meanwhile',
    async (what) => {
      const machine = await openBuildMachine('a.txt');
      const [begun, go] = [join(machine.run.cwd, 'begun'), join(machine.run.cwd, 'go')];
      const script = `touch '${begun}'; while [ ! -e '${go}' ]; do sleep 0.02; done; ${saves}`;
      const { ended } = startEdit(machine, script);
      await eventually(() => expect(existsSync(begun)).toBe(true));
      if (what === 'deleted') machine.service.objects.delete('a.txt');
      else machine.service.objects.set('a.txt', { bytes: Buffer.from('theirs'), classification: null });
      writeFileSync(go, '');
      const { code, said, kept } = await ended;
      expect({ code, kept }).toEqual({ code: 6, kept: 'mine' });
      expect(said).toContain(what === 'deleted' ? 'It was deleted' : 'It has changed');
      expect([...machine.service.objects.values()].map(({ bytes }) => bytes.toString())).toEqual(
        what === 'deleted' ? [] : ['theirs'],
      );
    },
  );

  test('keeps the save in a file if the service goes away, and on Ctrl+C', async () => {
    const machine = await openBuildMachine('a.txt');
    const saved = join(machine.run.cwd, 'saved');
    machine.service.plan = ({ method }) => {
      if (!existsSync(saved)) return null;
      return method === 'POST'
        ? { cutRequestAtBytes: 0, cutBy: 'reset' }
        : { cutAnswerAtBytes: 0, cutBy: 'reset' };
    };
    const away = startEdit(machine, `${saves}; touch '${saved}'`, ['--wait', '60']);
    expect(await away.ended).toMatchObject({ code: 5, kept: 'mine' });
    machine.service.plan = ({ method }) => (method === 'POST' ? { holdRequest: () => false } : null);
    const { interrupt, ended } = startEdit(machine, 'printf second > "$1"');
    await eventually(() => expect(machine.service.openUploads()).toBe(1));
    interrupt();
    expect(await ended).toMatchObject({
      code: 130,
      kept: 'second',
      said: expect.stringContaining('The command was interrupted.'),
    });
    expect(machine.left()).toEqual([]);
  });

  test.each([
    ['fails', `${saves}; exit 3`, 'The editor ended with exit code 3.'],
    ['is killed', `${saves}; kill -KILL $$`, /The editor (was ended by SIGKILL|ended with exit code 137)\./],
    // The file followed for saves has been quiet for long when the editor gives up.
    ['gives up later', `${saves}; sleep 1; exit 1`, 'The editor ended with exit code 1.'],
  ])('an editor that %s: nothing is stored, and the copy is kept', async (_what, script, why) => {
    const machine = await openBuildMachine('a.txt');
    const { code, said, kept } = await startEdit(machine, script).ended;
    expect({ code, kept }).toEqual({ code: 1, kept: 'mine' });
    expect(said).toMatch(why);
    expect([...machine.service.objects.keys()]).toEqual(['a.txt']);
  });

  test.each([
    ['was not found', 'exit 127', 'was not found. Set VISUAL or EDITOR'],
    ['fails at once', 'exit 1', 'The editor ended with exit code 1.'],
  ])('an editor that %s and changed nothing leaves no copy', async (_what, script, why) => {
    const machine = await openBuildMachine('a.txt');
    const { code, said, path } = await startEdit(machine, script).ended;
    expect({ code, path }).toEqual({ code: 1, path: null });
    expect(said).toContain('the copy has no changes that are not stored. The editor');
    expect(said).toContain(why);
    expect(machine.bytesOf('a.txt')).toBe(oldBytes('a.txt'));
    expect(leftIn(machine)).toEqual([]);
  });

  test('a newest version that cannot be looked for is said, and --exact goes without it', async () => {
    const machine = await openBuildMachine('a.txt');
    machine.service.plan = ({ identifier }) => (identifier === 'a.txt' ? null : { status: 403 });
    const refused = await machine.coffer(['get', 'a.txt', '-o', '-']);
    expect([refused.code, refused.stdout]).toEqual([7, '']);
    expect(refused.stderr).toContain('--exact');
    const exact = await machine.coffer(['get', 'a.txt', '--exact', '-o', '-']);
    expect(exact).toEqual({ code: 0, stdout: oldBytes('a.txt'), stderr: '' });
  });

  test('a download that fails is an error, and opens no editor', async () => {
    const machine = await openBuildMachine('a.txt');
    machine.service.plan = ({ method }) => (method === 'GET' ? { status: 403 } : null);
    const begun = join(machine.run.cwd, 'begun');
    const { code, said } = await startEdit(machine, `touch '${begun}'`).ended;
    expect(code).toBe(7);
    expect(said).not.toContain('kept');
    expect(existsSync(begun)).toBe(false);
    expect(leftIn(machine)).toEqual([]);
  });

  test('keeps the copy when a terminal closes while a real editor runs', async () => {
    const machine = await openBuildMachine('a.txt');
    const { cwd, env } = machine.run;
    const script = `${saves}; echo opened; while :; do sleep 0.05; done`;
    const EDITOR = writeEditor(machine, script);
    const running = startInTerminal(['edit', 'a.txt'], { cwd, env: { ...env, EDITOR } });
    await eventually(() => expect(running.stdout()).toContain('opened'));
    running.kill('SIGKILL');
    await eventually(() => expect(machine.left()).toEqual([]));
    const [folder = ''] = leftIn(machine);
    expect(readFileSync(join(String(env['TMPDIR']), folder, 'a.txt'), 'utf8')).toBe('mine');
    expect([...machine.service.objects.keys()]).toEqual(['a.txt']);
  });
});

describe.skipIf(process.platform !== 'linux')('open with COFFER_ADDRESS alone', () => {
  test('the copy is there when a program in the background reads it later', async () => {
    const machine = await openBuildMachine('a.txt');
    const { cwd, env } = machine.run;
    const bin = join(cwd, 'bin');
    mkdirSync(bin);
    const [go, read] = [join(cwd, 'go'), join(cwd, 'read')];
    const late = `while [ ! -e '${go}' ]; do sleep 0.02; done; cat "$1" > '${read}.part'; mv '${read}.part' '${read}'`;
    writeFileSync(join(bin, 'xdg-open'), `#!/bin/sh\n(${late}) > /dev/null 2>&1 &\n`, { mode: 0o755 });
    onTestFinished(() => writeFileSync(go, ''));
    const run = { cwd, env: { ...env, PATH: `${bin}:${String(env['PATH'])}` } };
    const opening = startInPipe(['open', 'a.txt'], run);
    expect(await opening.ended).toBe(0);
    const path = /^a\.txt: opened as (\S+)\n$/.exec(opening.stderr())?.[1] ?? '';
    expect(statSync(path).mode & 0o777).toBe(0o400);
    writeFileSync(go, '');
    await eventually(() => expect(readFileSync(read, 'utf8')).toBe(oldBytes('a.txt')));
    expect(machine.left()).toEqual([]);
    // A day later another one removes it, but no copy that a program changed.
    const second = startInPipe(['open', 'a.txt'], run);
    expect(await second.ended).toBe(0);
    const changed = /opened as (\S+)\n$/.exec(second.stderr())?.[1] ?? '';
    chmodSync(changed, 0o600);
    writeFileSync(changed, 'changed');
    for (const each of [path, changed]) utimesSync(dirname(each), 1, 1);
    expect(await startInPipe(['open', 'a.txt'], run).ended).toBe(0);
    expect([existsSync(path), readFileSync(changed, 'utf8')]).toEqual([false, 'changed']);
  });

  test('shows a copy of a kind that could do more than show something in its folder', async () => {
    const machine = await openBuildMachine('invoice.vsto');
    const { cwd, env } = machine.run;
    const bin = join(cwd, 'bin');
    mkdirSync(bin);
    const opened = join(cwd, 'opened');
    const script = `#!/bin/sh\nprintf %s "$1" > '${opened}.part'; mv '${opened}.part' '${opened}'\n`;
    writeFileSync(join(bin, 'xdg-open'), script, { mode: 0o755 });
    const run = { cwd, env: { ...env, PATH: `${bin}:${String(env['PATH'])}` } };
    const opening = startInPipe(['open', 'invoice.vsto'], run);
    expect(await opening.ended).toBe(0);
    const said = /^invoice\.vsto: shown in its folder, as (\S+)\. Coffer opens documents/;
    const [, path = ''] = said.exec(opening.stderr()) ?? [];
    expect(readFileSync(opened, 'utf8')).toBe(dirname(path));
    expect(readFileSync(path, 'utf8')).toBe(oldBytes('invoice.vsto'));
  });

  test('marks a copy for a program of the desktop as come from elsewhere, and not what get saves', async () => {
    const machine = await openBuildMachine('a.txt');
    const { cwd, env } = machine.run;
    writeFileSync(join(cwd, 'explorer.exe'), '#!/bin/sh\n', { mode: 0o755 });
    const platform = Object.getOwnPropertyDescriptor(process, 'platform') ?? {};
    Object.defineProperty(process, 'platform', { value: 'win32' });
    onTestFinished(() => void Object.defineProperty(process, 'platform', platform));
    for (const words of [
      ['open', 'a.txt'],
      ['get', 'a.txt', '-o', join(cwd, 'got.txt')],
    ]) {
      const terminal = new FakeTerminal({ onInterrupt: () => undefined });
      const running = startInProcess(words, {
        cwd,
        env: { ...env, PATH: `${cwd}:${String(env['PATH'])}` },
        stdout: terminal.output,
        stderr: terminal.output,
      });
      expect(await running.ended).toBe(0);
    }
    const [folder = ''] = leftIn(machine);
    // The stream of NTFS is a file here.
    expect(readdirSync(join(String(env['TMPDIR']), folder)).toSorted()).toEqual([
      'a.txt',
      'a.txt:Zone.Identifier',
    ]);
    expect(readdirSync(cwd).filter((name) => name.includes('got'))).toEqual(['got.txt']);
  });

  test('leaves nothing without a program that opens it', async () => {
    const machine = await openBuildMachine('a.txt');
    const env = { ...machine.run.env, PATH: machine.run.cwd };
    const opening = startInPipe(['open', 'a.txt'], { cwd: machine.run.cwd, env });
    expect(await opening.ended).toBe(1);
    expect(leftIn(machine)).toEqual([]);
  });
});

describe.skipIf(!process.env['DBUS_SESSION_BUS_ADDRESS'])('edit with a list', () => {
  test('an editor that fails: the copy stays, and no later command stores it', async ({ signal }) => {
    const world = await openWorld({ with: 'none' });
    const run = { cwd: world.files, keychain: world.keychain, clock: createQuickClock(20), signal };
    const coffer = (line: string, editor = '') =>
      runLine(line, {
        ...run,
        env: { ...world.env, EDITOR: editor },
        types: line.includes('edit') ? [] : null,
      });
    const added = await coffer('coffer service add Local $ADDRESS < token.txt');
    expect(added).toMatchObject({ code: 0 });
    await coffer('coffer put a.txt');
    const failed = await coffer('coffer edit a.txt', 'f() { echo mine > "$1"; return 3; }; f');
    expect(failed.code).toBe(1);
    const path = / are kept in (\S+)\s*$/.exec(failed.stdout)?.[1] ?? '';
    expect(path.startsWith(world.dataFolder)).toBe(true);
    expect((await coffer('coffer versions a.txt --json')).stdout.trim().split('\n')).toHaveLength(1);
    expect(readFileSync(path, 'utf8')).toBe('mine\n');
    expect((await coffer('coffer edit a.txt', 'f() { echo second > "$1"; }; f')).code).toBe(0);
    expect((await coffer('coffer versions a.txt --json')).stdout.trim().split('\n')).toHaveLength(2);
  });
});
