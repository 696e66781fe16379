import { askHidden } from './ask.ts';
import type { Context } from './context.ts';
import { Usage } from './errors.ts';
import { serviceTexts as texts } from './service-texts.ts';

/** As `tokenSchema` of the contract. */
const maxTokenLength = 16_384;

/**
 * From standard input, or typed without echo. Never an argument: every process could read it, and shells store a history.
 * @throws Usage without a token, or if it is too long
 */
export async function readToken({ io, interrupted }: Context): Promise<string> {
  let text = '';
  if (io.stdin.isTTY) text = (await askHidden(io, texts.tokenPrompt, interrupted)) ?? '';
  else
    for await (const piece of io.stdin.setEncoding('utf8')) {
      text += String(piece);
      // Some space around it is no error.
      if (text.length > 2 * maxTokenLength) break;
    }
  const token = text.trim();
  if (token === '') throw new Usage(texts.noToken);
  if (token.length > maxTokenLength) throw new Usage(texts.longToken({ max: maxTokenLength }));
  return token;
}
