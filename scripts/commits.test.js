import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { root } from './tools.js';

/** Earlier subjects are as they are. */
const since = 'ef8679e89d030332875fc50831d630af9c14776d';
const { status, stdout } = spawnSync('git', ['log', '--no-merges', '--format=%s', `${since}..HEAD`], {
  cwd: root,
  encoding: 'utf8',
});

/** First words that look like another form of a verb. */
const imperatives =
  /^(?:Bring|Embed|Feed|Need|Speed|Spread|Shed|Access|Discuss|Dismiss|Express|Focus|Guess|Pass|Press|Process)$/;

function problemOf(subject) {
  const [first = ''] = subject.split(' ');
  if (subject.length > 72) return `${subject.length} characters`;
  if (!/^[A-Z]/.test(subject) || subject.endsWith('.'))
    return 'begins with a capital letter, and ends without a full stop';
  if (/(?:ing|ed|s)$/.test(first) && !imperatives.test(first)) return `“${first}” is no imperative`;
  return null;
}

test.each([
  ['Say what a part is', null],
  ['Pass the token on', null],
  ['say what a part is', 'begins with a capital letter, and ends without a full stop'],
  ['Says what a part is', '“Says” is no imperative'],
  ['Fixed the upload', '“Fixed” is no imperative'],
  ['Say '.repeat(20), '80 characters'],
])('judges a subject: %s', (subject, problem) => {
  expect(problemOf(subject)).toBe(problem);
});

// A copy without its history has none to judge.
test.skipIf(status !== 0)('subjects of commits are short, and say what to do', () => {
  const subjects = stdout.split('\n').filter(Boolean);
  const wrong = subjects.map((subject) => [subject, problemOf(subject)]).filter(([, problem]) => problem);
  expect(wrong).toEqual([]);
});
