import { askHidden } from './ask.ts';
import type { Context } from './context.ts';

/**
 * A secret from standard input, or typed without echo. Never an argument: every process could read it, and shells store a history.
 * @returns without the space around it; '': nothing was given. A longer one than `maxLength` need not be whole.
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
      // Some space around it is no error.
      if (text.length > 2 * maxLength) break;
    }
  return text.trim();
}
