import { askHidden } from '../terminal/ask.ts';
import type { Context } from '../context.ts';

/**
 * Reads a secret from standard input, or typed without echo. Never an argument: every process can read those, and shells store
 * a history. @returns it without surrounding space; '': none; possibly truncated if longer than `maxLength`
 */
export async function readUnseen(
  { io, interrupted }: Pick<Context, 'io' | 'interrupted'>,
  prompt: string,
  maxLength: number,
): Promise<string> {
  let text = '';
  if (io.stdin.isTTY) text = (await askHidden(io, prompt, interrupted)) ?? '';
  else
    for await (const piece of io.stdin.setEncoding('utf8')) {
      text += String(piece);
      // Twice the limit, to allow for surrounding space.
      if (text.length > 2 * maxLength) break;
    }
  return text.trim();
}
