import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { playTranscript } from '../../../test-support/command/transcript.ts';

/* What a terminal is asked. Transcripts of the single commands ask more, but `npm test` plays most of those with pipes alone. */

describe.skipIf(process.platform !== 'linux')('questions on a terminal', () => {
  test('about existing identifiers, deletions, tokens and services', () =>
    expect(
      playTranscript({ with: 'app', only: 'terminal' }, async ({ coffer, world }) => {
        const write = (name: string, text: string) => writeFileSync(join(world.files, name), `${text}\n`);
        await coffer('coffer put a.txt b.txt --quiet > /dev/null');
        await coffer('coffer put c.txt --as a.txt', { types: [['give up: ', 'k\r']] });
        await coffer('coffer put c.txt --as a.txt', { types: [['give up: ', '\u0004']] });
        for (const name of ['a', 'b']) write(`${name}.txt`, `new ${name}`);
        await coffer('coffer put a.txt b.txt --no-progress | sort', {
          types: [
            ['give up: ', 'x\r'],
            ['give up: ', 'V\r'],
          ],
        });
        await coffer('coffer put - --as typed', { types: [['Ctrl+D.', 'typed\n\u0004']] });
        await coffer('coffer sync photos p --quiet > /dev/null');
        rmSync(join(world.files, 'photos', 'two.jpg'));
        await coffer('coffer sync photos p --delete --settle 0', { types: [['[y/N] ', 'n\r']] });
        await coffer('coffer sync photos p --delete --settle 0', { types: [['[y/N] ', 'y\r']] });
        await coffer('rm photos/one.jpg; coffer sync photos p --delete --yes --settle 0 --max-delete 0', {
          types: [['[y/N] ', 'n\r']],
        });
        await coffer('coffer rm a.txt', { types: [['[y/N] ', 'n\r']] });
        await coffer('coffer rm a.txt', { types: [['[y/N] ', 'y\r']] });
        write('told.jsonl', '{"cofferCatalogue":1}\n{"identifier":"told.txt","state":"stored"}');
        await coffer('coffer import told.jsonl');
        await coffer('coffer rm told.txt', { types: [['[y/N] ', 'n\r']] });
        await coffer('coffer rm told.txt b.txt', { types: [['[y/N] ', 'n\r']] });
        await coffer('coffer ls');
        await coffer('coffer service add Second "$ADDRESS"', { types: [['Token: ', '\r']] });
        await coffer('coffer service add Second "$ADDRESS"', { types: [['Token: ', 'wrong\r']] });
        await coffer('coffer service token', { types: [['Token: ', 'wrong\r']] });
        await coffer('coffer service rm Local', { types: [['[y/N] ', '\r']] });
        await coffer('coffer service rm Local', { types: [['[y/N] ', 'y\r']] });
      }),
    ).resolves.toMatchFileSnapshot('questions.txt'));
});
