import { expect, test } from 'vitest';
import { isEditable, isProgram } from './program.ts';

test.each(['a.exe', 'A.EXE', 'a.pdf.exe', 'a.exe. ', 'a.desktop', 'a.command', '.sh'])(
  '%s is started by a system when it is opened',
  (name) => {
    expect([isProgram(name), isEditable(name)]).toEqual([true, false]);
  },
);

// They look like documents, but a system or Office does more than show them.
test.each(
  (
    'settingcontent-ms chm xll slk iqy msix appinstaller inetloc fileloc search-ms library-ms flatpakref pptm xlsb ' +
    'desktop url lnk scr hta jnlp'
  ).split(' '),
)('a document of the kind %s is never opened', (ending) => {
  expect([isProgram(`report.${ending}`), isEditable(`report.${ending}`)]).toEqual([true, false]);
});

test.each(['a.pdf', 'exe', 'a.exe.txt', 'report', 'a.xlsx', ''])(
  '%j is no program, and can be edited',
  (name) => {
    expect([isProgram(name), isEditable(name)]).toEqual([false, true]);
  },
);

test.each(['a.unheard-of', 'a.zip', 'a.dat', 'a.tar.gz'])('%s can be opened, but not edited', (name) => {
  expect([isProgram(name), isEditable(name)]).toEqual([false, false]);
});
