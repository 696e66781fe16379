import { decodeText } from '../../main/lib/decode-text.ts';
import { Usage } from '../errors/errors.ts';
import { askHidden } from '../terminal/ask.ts';
import type { Context } from '../context.ts';
import { serviceTexts as texts } from './service-texts.ts';

/**
 * Reads a secret from standard input, or typed without echo. Never an argument: every process can read those, and shells store
 * a history. @returns it without surrounding space; '': none; possibly truncated if longer than `maxLength`
 */
export async function readUnseen(
  { io, interrupted }: Pick<Context, 'io' | 'interrupted'>,
  prompt: string,
  maxLength: number,
): Promise<string> {
  if (io.stdin.isTTY) return ((await askHidden(io, prompt, interrupted)) ?? '').trim();
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of io.stdin) {
    const bytes = piece as Buffer;
    pieces.push(bytes);
    length += bytes.length;
    // Four bytes a character at most, and as many for surrounding space.
    if (length > 8 * maxLength) return Buffer.concat(pieces).toString('latin1').trim();
  }
  const decoded = decodeText(Buffer.concat(pieces));
  if ('badLine' in decoded) throw new Usage(texts.inputNotText);
  return decoded.text.trim();
}

/** The limit of `tokenSchema` in the contract. */
const maxTokenLength = 16_384;

/** @throws Usage without a token, or if it is too long */
export async function readToken(context: Context): Promise<string> {
  const token = await readUnseen(context, texts.tokenPrompt, maxTokenLength);
  if (token === '') throw new Usage(texts.noToken);
  if (token.length > maxTokenLength) throw new Usage(texts.longToken({ max: maxTokenLength }));
  return token;
}
