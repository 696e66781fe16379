/** One place from which a person can paste: the clipboard, or on Linux the primary selection. */
export interface ClipboardBuffer {
  read(): Promise<string>;
  clear(): Promise<void>;
}

/** Clears the buffers whose text `isOurs` recognises. @throws if one still holds it afterwards */
export async function clearBuffers(
  buffers: readonly ClipboardBuffer[],
  isOurs: (text: string) => boolean,
): Promise<void> {
  for (const buffer of buffers) {
    if (!isOurs(await buffer.read())) continue;
    await buffer.clear();
    if (isOurs(await buffer.read()))
      throw new Error('the clipboard still holds the text after it was cleared');
  }
}
