import { describe, expect, it } from 'vitest';
import { toAppError } from '../../shared/app-failure.ts';
import { readInvitation, writeInvitation, type Invitation } from './invitation.ts';

const invitation: Invitation = {
  host: 'db.example',
  port: 5432,
  database: 'team',
  role: 'béa',
  authority: null,
  list: 3,
  password: 'one-time',
  isOneTime: true,
  from: 'Anna',
};

function problemOf(text: string): string | undefined {
  try {
    readInvitation(text);
    return undefined;
  } catch (cause) {
    const error = toAppError(cause);
    return error?.code === 'badInvitation' ? error.problem : undefined;
  }
}

describe('an invitation', () => {
  const line = writeInvitation(invitation);

  it('can be read back, even after mail has broken it into lines', () => {
    expect(readInvitation(line)).toEqual(invitation);
    expect(readInvitation(`\n  ${line.slice(0, 40)}\r\n\t${line.slice(40)}  \n`)).toEqual(invitation);
    expect(line).not.toContain('one-time');
  });

  it('recognises as cut one that was cut anywhere', () => {
    for (let length = 'coffer-team:'.length; length < line.length; length += 1)
      expect([length, problemOf(line.slice(0, length))]).toEqual([length, 'cut']);
    const changed = line[30] === 'x' ? 'y' : 'x';
    expect(problemOf(line.slice(0, 30) + changed + line.slice(31))).toBe('cut');
    expect(problemOf(`${line}x`)).toBe('cut');
  });

  it('leads to no server whose address looks like another', () => {
    for (const host of ['db.example\u202egro', 'db\u200b.example', 'db example', 'db/x'])
      expect(problemOf(writeInvitation({ ...invitation, host }))).toBe('newer');
  });

  it('distinguishes it from other texts, and from those of a newer Coffer', () => {
    expect(problemOf('https://files.example')).toBe('notOne');
    expect(problemOf(line.slice(3))).toBe('notOne');
    expect(problemOf(line.replace(':1.', ':2.'))).toBe('newer');
  });
});
