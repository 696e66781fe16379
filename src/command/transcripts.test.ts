import { describe, test } from 'vitest';
import { createQuickClock } from '../../test-support/main/test-ports.ts';
import { playTranscript } from '../../test-support/command/transcript.ts';

describe.skipIf(process.platform !== 'linux')('transcripts', { timeout: 45_000 }, () => {
  test('put', () =>
    playTranscript('put', { with: 'app' }, async ({ coffer }) => {
      await coffer('coffer put a.txt --to x');
      await coffer('coffer put a.txt --to x');
      await coffer('coffer put c.txt --as x/a.txt --if-exists fail');
      await coffer('coffer put c.txt --as x/a.txt', { types: [['give up: ', 'k\r']] });
      await coffer('coffer put c.txt --as x/a.txt', { types: [['give up: ', '\u0004']], only: 'terminal' });
      await coffer('coffer put b.txt --as x/a.txt --if-exists skip');
      await coffer('coffer put b.txt --as x/a.txt --if-exists keep-both');
      await coffer('coffer put b.txt --as x/a.txt --if-exists version');
      await coffer('coffer put photos --to x --deferred');
      await coffer('coffer put photos --json --if-exists skip | sort');
      await coffer('coffer put a.txt b.txt --as x');
      await coffer('coffer put nothing.txt');
      await coffer('coffer put nothing.txt a.txt --to y');
      await coffer('coffer put');
      await coffer('coffer put a.txt --if-exists maybe');
      await coffer('coffer put a.txt --as ..');
    }));
  test('replace', () => {
    // It looks again a minute later.
    const app = { clock: createQuickClock(100) };
    return playTranscript('replace', { with: 'app', app }, async ({ coffer }) => {
      await coffer('coffer put a.txt');
      await coffer('coffer put c.txt --as a.txt --if-exists replace');
      await coffer('coffer get a.txt -o -');
    });
  });
  test('streams', () =>
    playTranscript('streams', { with: 'app' }, async ({ coffer }) => {
      await coffer('printf streamed | coffer put - --as s/1');
      await coffer('coffer get s/1 -o -; echo');
      await coffer('printf other | coffer put - --as s/1');
      await coffer('printf other | coffer put - --as s/1 --if-exists version --json');
      await coffer('coffer put - --to s', {});
      await coffer('coffer put - --as s/2', { types: [['Ctrl+D.', 'typed\n\u0004']], only: 'terminal' });
      await coffer('coffer get s/1 -o - --json');
      await coffer('coffer get nothing -o -');
      await coffer('coffer get s/1 s/2 -o -');
      await coffer('ls ../user*/streams');
    }));
});
