import type { Context } from '../context.ts';
import { Usage } from '../errors/errors.ts';
import { readUnseen } from './read-unseen.ts';
import { serviceTexts as texts } from './service-texts.ts';

/** The limit of `tokenSchema` in the contract. */
const maxTokenLength = 16_384;

/** @throws Usage without a token, or if it is too long */
export async function readToken(context: Context): Promise<string> {
  const token = await readUnseen(context, texts.tokenPrompt, maxTokenLength);
  if (token === '') throw new Usage(texts.noToken);
  if (token.length > maxTokenLength) throw new Usage(texts.longToken({ max: maxTokenLength }));
  return token;
}
