/** One place from which a person can paste: the clipboard, or on Linux the primary selection. */
export interface ClipboardBuffer {
  read(): Promise<string>;
  /** Resolves when `read` returns the state after clearing. */
  clear(): Promise<void>;
}

/** A clipboard manager may offer its copy again when the owner is gone. */
const maxAttempts = 3;

/** Clears the buffers whose text `isOurs` recognises. @throws if one still holds it afterwards */
export async function clearBuffers(
  buffers: readonly ClipboardBuffer[],
  isOurs: (text: string) => boolean,
): Promise<void> {
  for (const buffer of buffers) {
    for (let attempt = 1; isOurs(await buffer.read()); attempt += 1) {
      if (attempt > maxAttempts) throw new Error('the clipboard still holds the text after it was cleared');
      await buffer.clear();
    }
  }
}
