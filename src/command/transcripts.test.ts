import { expect, test } from 'vitest';
import { playTranscript } from '../../test-support/command/transcript.ts';

test('put', () =>
  playTranscript('put', { with: 'app' }, async ({ coffer }) => {
    await coffer('coffer put a.txt --to x');
    await coffer('coffer put a.txt --to x');
    await coffer('coffer put c.txt --as x/a.txt --if-exists fail');
    await coffer('coffer put c.txt --as x/a.txt', { types: [['give up: ', 'k\r']] });
    await coffer('coffer rm x/a.txt', { types: [['[y/N] ', 'n\r']] });
    await coffer('coffer ls');
    expect(1).toBe(1);
  }));
