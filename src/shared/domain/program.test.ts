import { expect, test } from 'vitest';
import { isProgram } from './program.ts';

test.each(['a.exe', 'A.EXE', 'a.pdf.exe', 'a.exe. ', 'a.desktop', 'a.command', '.sh'])(
  '%s is started by a system when it is opened',
  (name) => {
    expect(isProgram(name)).toBe(true);
  },
);

test.each(['a.pdf', 'exe', 'a.exe.txt', 'report', 'a.xlsx', ''])('%j is not', (name) => {
  expect(isProgram(name)).toBe(false);
});
