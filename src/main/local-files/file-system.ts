import { link, lstat, mkdir, open, rename, unlink, type BigIntStats } from './fs.ts';

/** The operations on an open file that a temporary file needs. */
export interface OpenFile {
  stat(options: { bigint: true }): Promise<BigIntStats>;
  write(
    bytes: Uint8Array,
    offset: number,
    length: number,
    position: number,
  ): Promise<{ bytesWritten: number }>;
  sync(): Promise<void>;
  datasync(): Promise<void>;
  close(): Promise<void>;
}

/** The file system operations for writing and naming a temporary file. */
export interface FileSystem {
  open(path: string, flags: string, mode?: number): Promise<OpenFile>;
  link(from: string, to: string): Promise<void>;
  lstat(path: string, options: { bigint: true }): Promise<BigIntStats>;
  mkdir(path: string, options: { recursive: true }): Promise<unknown>;
  rename(from: string, to: string): Promise<void>;
  unlink(path: string): Promise<void>;
}

/** Asynchronous: each call runs on a thread of the system and blocks nothing else. */
export const waitingFiles: FileSystem = { open, link, lstat, mkdir, rename, unlink };

export async function writeAll(file: OpenFile, bytes: Uint8Array, atBytes: number): Promise<void> {
  for (let doneBytes = 0; doneBytes < bytes.length;) {
    const { bytesWritten } = await file.write(
      bytes,
      doneBytes,
      bytes.length - doneBytes,
      atBytes + doneBytes,
    );
    doneBytes += bytesWritten;
  }
}
