import { describe, expect, test } from 'vitest';
import { serveInPlaceOfApp, writeProgram } from '../../../test-support/command/command-world.ts';
import { createQuickClock } from '../../../test-support/main/test-ports.ts';
import { playTranscript } from '../../../test-support/command/transcript.ts';

const nowhere = { DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nowhere' };

describe.skipIf(process.platform !== 'linux')('what commands need', () => {
  test('address and token in the environment', () =>
    expect(
      playTranscript({ name: 'memory', with: 'memory' }, async ({ coffer, world }) => {
        await coffer('coffer put a.txt --as m/1');
        await coffer('coffer get m/1 -o -');
        await coffer("coffer get 'm/*'");
        await coffer('coffer rm m/ --yes');
        await coffer('coffer put a.txt --as m/1 --if-exists version');
        await coffer('coffer put b.txt --as m/1 --if-exists version');
        await coffer('coffer ls');
        await coffer('printf piped | coffer put - --as m/2 --json');
        await coffer('coffer check m/1 m/9');
        await coffer('coffer rm m/2 --yes');
        await coffer('coffer check m/2');
        await coffer('coffer put a.txt --as m/3', { env: { COFFER_TOKEN: 'wrong' } });
        await coffer('coffer put a.txt --as m/3', { env: { COFFER_ADDRESS: 'no address' } });
        await coffer('coffer put a.txt --as m/3', { env: { COFFER_TOKEN: '' } });
        await coffer('coffer put a.txt --as m/3', { env: { COFFER_ADDRESS: '' } });
        await coffer('coffer get m/1 -o -', { env: { TMPDIR: '/nowhere' } });
        await coffer('coffer doctor');
        await coffer('ls -A .. | sort');
        await world.service.service.close();
        await coffer('coffer put a.txt --as m/3 --wait 0');
        await coffer('coffer info m/1 --wait 0');
        await coffer('coffer services --wait 0');
        await coffer('coffer doctor --json');
      }),
    ).resolves.toMatchFileSnapshot('memory.txt'));

  test('no service yet, and no keychain', () =>
    expect(
      playTranscript({ name: 'no-keychain', with: 'none' }, async ({ coffer }) => {
        await coffer('coffer');
        await coffer('coffer lss');
        await coffer('coffer completion fish --json | jq -c "[.shell, keys]"');
        await coffer('coffer ls', { env: nowhere });
        await coffer('coffer service add Local "$ADDRESS" < token.txt', { env: nowhere });
        await coffer('coffer service add Local "no address" < token.txt', { env: nowhere });
        await coffer('coffer service add Local "$ADDRESS"', { env: nowhere, types: [['Token: ', '\r']] });
        await coffer('coffer put a.txt', { env: nowhere });
        await coffer('coffer doctor', { env: nowhere });
      }),
    ).resolves.toMatchFileSnapshot('no-keychain.txt'));

  test.skipIf(!process.env['DBUS_SESSION_BUS_ADDRESS'])('a service with its token in the keychain', () =>
    expect(
      playTranscript({ name: 'keychain', with: 'none' }, async ({ coffer }) => {
        await coffer('coffer service add Local "$ADDRESS" < token.txt');
        await coffer('coffer service test');
        await coffer('coffer put a.txt --as k/1');
        await coffer('coffer service token', { types: [['Token: ', 'wrong\r']], only: 'terminal' });
        await coffer('printf wrong | coffer service token');
        await coffer('coffer put a.txt --as k/2');
        await coffer('coffer service token < token.txt');
        await coffer('coffer put b.txt --as k/3', { env: nowhere });
        await coffer('coffer check k/1', { env: nowhere });
        await coffer('coffer transfers --follow > /dev/null');
        await coffer('coffer transfers --json | sort');
        await coffer('coffer ls');
        await coffer('coffer doctor');
      }),
    ).resolves.toMatchFileSnapshot('keychain.txt'),
  );

  test('reports files that the database does not know', () =>
    expect(
      playTranscript({ name: 'unknown-files', with: 'none' }, async ({ coffer }) => {
        await coffer('coffer doctor | grep Unknown', { env: nowhere });
        await coffer(
          'cd ../Coffer; mkdir -p kept opened/1; printf sealed > kept/aa; printf more > kept/bb; printf text > opened/1/a.txt; touch -d 2026-03-03T12:00Z kept/aa kept/bb opened/1/a.txt',
        );
        await coffer('coffer doctor | grep Unknown', { env: nowhere });
        await coffer('coffer doctor --json | grep unknownFiles', { env: nowhere });
        await coffer('find ../Coffer/kept ../Coffer/opened -type f | sort');
      }),
    ).resolves.toMatchFileSnapshot('unknown-files.txt'));

  test('another app', () =>
    expect(
      playTranscript({ name: 'another-app', with: 'none' }, async ({ coffer, world }) => {
        await serveInPlaceOfApp(world, '{"refused":"protocol","version":"9.0.0"}\n');
        await coffer('coffer ls');
        await coffer('coffer doctor | grep App', { env: nowhere });
      }),
    ).resolves.toMatchFileSnapshot('another-app.txt'));

  test('the app quits during a command', () =>
    expect(
      playTranscript({ name: 'app-gone', with: 'none' }, async ({ coffer, world }) => {
        await serveInPlaceOfApp(world, '{"hello":{"protocol":1,"version":"1.0.0"}}\n');
        await coffer('coffer ls');
      }),
    ).resolves.toMatchFileSnapshot('app-gone.txt'));

  test('open and edit, in the app', () =>
    expect(
      playTranscript({ name: 'edit', with: 'app' }, async ({ coffer }) => {
        await coffer('coffer put a.txt --quiet > /dev/null');
        await coffer('coffer open a.txt');
        await coffer('coffer edit a.txt');
        await coffer('coffer open nothing');
        await coffer('coffer edit nothing');
      }),
    ).resolves.toMatchFileSnapshot('edit.txt'));

  test('open and edit, without the app', () =>
    expect(
      playTranscript({ with: 'memory' }, async ({ coffer, world }) => {
        writeProgram(world, 'xdg-open', 'cat "$1"');
        await coffer('coffer put a.txt --quiet > /dev/null');
        await coffer('coffer open a.txt');
        // The edit ends only some seconds after the last save.
        const clock = createQuickClock(20);
        await coffer('coffer edit a.txt', { only: 'pipe' });
        await coffer('coffer edit a.txt', { types: [['finished: ', '\r']], only: 'terminal', clock });
        const EDITOR = `f() { echo changed > "$1"; }; f`;
        await coffer('coffer edit a.txt', { env: { EDITOR }, only: 'terminal', clock });
        await coffer("coffer get 'a@2.txt' -o -", { only: 'terminal' });
        for (const failing of ['false', 'nothing-there', `f() { echo mine > "$1"; return 3; }; f`])
          await coffer('coffer edit a.txt', { env: { EDITOR: failing }, only: 'terminal', clock });
      }),
    ).resolves.toMatchFileSnapshot('edit-alone.txt'));
});
