import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeTestFolder } from '../../../test-support/main/test-ports.ts';
import { mayOpen } from './may-open.ts';

const zip = (name: string, extra: string) =>
  Buffer.concat([
    Buffer.from('504b030414000808080000000000000000000000000000000000', 'hex'),
    Buffer.from([name.length, 0, extra.length / 2, 0]),
    Buffer.from(name),
    Buffer.from(extra, 'hex'),
  ]);

/** A compound file with 512-byte sectors, whose directory is in the third. */
function compound(rootClass: string): Buffer {
  const bytes = Buffer.alloc(2560);
  bytes.write('d0cf11e0a1b11ae1', 'hex');
  bytes.writeUInt16LE(9, 30);
  bytes.writeUInt32LE(2, 48);
  bytes.write(rootClass, 3 * 512 + 80, 'hex');
  return bytes;
}

async function opens(bytes: Buffer, platform: NodeJS.Platform = 'linux'): Promise<boolean> {
  const path = join(await makeTestFolder(), 'invoice.pdf');
  writeFileSync(path, bytes);
  return mayOpen(path, platform);
}

test.each([
  ['a program of Windows', Buffer.from('MZ\x90\0')],
  ['an installer', compound('84100c0000000000c000000000000046')],
  ['a shortcut', Buffer.from('4c0000000114020000000000c00000000000004600', 'hex')],
  ['a program of Linux', Buffer.from('\x7fELF\x02\x01')],
  ['a class of Java', Buffer.from('cafebabe0000003d', 'hex')],
  ['a program of Java', zip('META-INF/', 'feca0000')],
  ['a package of Debian', Buffer.from('!<arch>\ndebian-binary')],
  ['a package of Red Hat', Buffer.from('edabeedb0300', 'hex')],
])('%s is not opened on Linux, whatever its name is', async (_what, bytes) => {
  expect(await opens(bytes)).toBe(false);
  // There the name decides.
  expect(await opens(bytes, 'win32')).toBe(true);
});

test.each([
  ['a PDF', Buffer.from('%PDF-1.7\n')],
  ['a text', Buffer.from('M')],
  ['a Word document', zip('[Content_Types].xml', '')],
  ['a Word document with a password', compound('00000000000000000000000000000000')],
  ['the start of a compound file', compound('').subarray(0, 100)],
  ['a ZIP with another extra field', zip('a', '55540900')],
  ['a picture', Buffer.from('89504e470d0a1a0a', 'hex')],
  ['nothing', Buffer.alloc(0)],
])('%s is opened', async (_what, bytes) => {
  expect(await opens(bytes)).toBe(true);
});

test('does not open what cannot be read', async () => {
  expect(await mayOpen(join(await makeTestFolder(), 'missing.pdf'), 'linux')).toBe(false);
});
