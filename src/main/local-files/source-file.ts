import type { FileIdentity } from './file-state.ts';

export interface BodyOptions {
  /** Called before each piece, and awaited when it returns a promise (bandwidth). */
  readonly take?: ((bytes: number) => Promise<void> | undefined) | undefined;
  /** Bytes that have been sent: all before the requested piece. A single buffer counts when it is returned. */
  readonly onProgress: (doneBytes: number) => void;
  /** Ends the body with its reason. */
  readonly signal: AbortSignal;
}

/** A file, or a slice of one, to be sent; opened once. */
export interface SourceFile {
  /** Of the file, or of the slice. */
  readonly sizeBytes: number;
  readonly identity: FileIdentity;
  /**
   * The bytes, hashed as they are read: one buffer up to 1 MiB, else pieces of 1 MiB as fast as they are consumed. A
   * piece's memory is reused after the next one was requested, so it must have been sent by then. @throws AppFailure
   * fileChanged before the last piece when the file has changed (a service that never gets a whole body stores
   * nothing), fileUnreadable
   */
  body(options: BodyOptions): Promise<Uint8Array | AsyncIterable<Uint8Array>>;
  /** In hex, of exactly what the last body yielded; null until it has yielded everything. */
  sha256(): Promise<string | null>;
  /** Whether the size, modification time, or file under this name differ from when it was opened. */
  hasChanged(): Promise<boolean>;
  close(): Promise<void>;
}
