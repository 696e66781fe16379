import { expect, test } from 'vitest';
import { isProgram } from './program.ts';

test('what a system would start is a program, whatever its case and its end', () => {
  for (const name of ['a.exe', 'A.EXE', 'a.pdf.exe', 'a.exe. ', 'a.desktop', 'a.command', '.sh'])
    expect(isProgram(name), name).toBe(true);
  for (const name of ['a.pdf', 'exe', 'a.exe.txt', 'report', 'a.xlsx', ''])
    expect(isProgram(name), name).toBe(false);
});
