import { basename } from 'node:path';
import { isOpenable } from '../../shared/domain/openable.ts';
import { codeOf } from './file-system.ts';
import { constants, open, type FileHandle } from './fs.ts';

/*
 * Without a desktop environment, xdg-open asks `file` for the kind of a file, which goes by its bytes whatever its name is: a Windows
 * program called invoice.pdf is started by Wine, although it is not executable. GNOME, KDE, Xfce, Windows and macOS go by the name.
 */

/** How files begin that a program on Linux runs or installs although they are not executable. No kind that is opened begins so. */
const beginnings = [
  // Programs of Windows and DOS, and shortcuts.
  Buffer.from('MZ'),
  Buffer.from('4c0000000114020000000000c000000000000046', 'hex'),
  // Programs of Linux, and classes of Java.
  Buffer.from('\x7fELF'),
  Buffer.from('cafebabe', 'hex'),
  // Packages: Debian's, RPM, Snap.
  Buffer.from('!<arch>\n'),
  Buffer.from('edabeedb', 'hex'),
  Buffer.from('hsqs'),
];

/** Whether a file may be handed to the desktop to be opened: by its name, and on Linux by how it begins. */
export async function mayOpen(path: string, platform: NodeJS.Platform): Promise<boolean> {
  return isOpenable(basename(path)) && !(platform === 'linux' && (await isDisguised(path)));
}

/** Whether the bytes are those of a program, whatever the name says. @returns true also if it cannot be read */
async function isDisguised(path: string): Promise<boolean> {
  const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch((cause: unknown) => {
    if (codeOf(cause) === undefined) throw cause;
    return null;
  });
  if (handle === null) return true;
  try {
    const head = await read(handle, 0, 64);
    return (
      beginnings.some((beginning) => head.subarray(0, beginning.length).equals(beginning)) ||
      isJar(head) ||
      (await isInstaller(handle, head))
    );
  } finally {
    await handle.close();
  }
}

async function read(handle: FileHandle, atBytes: number, lengthBytes: number): Promise<Buffer> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(lengthBytes), 0, lengthBytes, atBytes);
  return buffer.subarray(0, bytesRead);
}

/**
 * Windows Installer's packages, patches and transforms (MSI, MSP, MST) are compound files, as are Office documents with a password, and
 * tell themselves by the class of the root entry, at 80 bytes of the first directory sector ([MS-CFB] 2.2, 2.6.1).
 */
async function isInstaller(handle: FileHandle, head: Buffer): Promise<boolean> {
  if (head.length < 52 || head.readBigUInt64BE(0) !== 0xd0cf11e0a1b11ae1n) return false;
  const sectorBytes = 2 ** Math.min(head.readUInt16LE(30), 12);
  const rootAt = (head.readUInt32LE(48) + 1) * sectorBytes;
  const rootClass = (await read(handle, rootAt + 80, 16)).toString('hex');
  return /^8[246]100c0000000000c000000000000046$/.test(rootClass);
}

/** As `file` tells it from other ZIP archives: the first entry has an extra field that starts with 0xCAFE. */
function isJar(head: Buffer): boolean {
  if (head.length < 32 || head.readUInt32BE(0) !== 0x504b0304) return false;
  const extraAt = 30 + head.readUInt16LE(26);
  return head.readUInt16LE(28) > 0 && extraAt + 2 <= head.length && head.readUInt16LE(extraAt) === 0xcafe;
}
