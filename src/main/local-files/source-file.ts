import type { FileIdentity } from './file-state.ts';

export interface BodyOptions {
  /** Asked before each piece, and waited for when it answers a promise (bandwidth). */
  readonly take?: ((bytes: number) => Promise<void> | undefined) | undefined;
  /** Bytes that have left: all before the piece that is asked for. One buffer counts when it is handed out. */
  readonly onProgress: (doneBytes: number) => void;
  /** Ends the body with its reason. */
  readonly signal: AbortSignal;
}

/** A file, or a slice of one, on its way out; opened once. */
export interface SourceFile {
  /** Of what is sent: the file's, or the slice's. */
  readonly sizeBytes: number;
  readonly identity: FileIdentity;
  /**
   * The bytes, hashed on the way: one buffer up to 1 MiB, else pieces of 1 MiB as fast as they are taken. A piece's memory is
   * used again after the next one was asked for, so it must have left by then. @throws AppFailure fileChanged before the last
   * piece when the file is not the same any more (a service that never gets a whole body stores nothing), fileUnreadable
   */
  body(options: BodyOptions): Promise<Uint8Array | AsyncIterable<Uint8Array>>;
  /** In hex, of exactly what the last body gave; null until it gave everything. */
  sha256(): Promise<string | null>;
  /** Size, time of change, or the file under this name are not what they were when it was opened. */
  hasChanged(): Promise<boolean>;
  close(): Promise<void>;
}
