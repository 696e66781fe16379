import { z } from 'zod';
import { AppFailure } from '../../shared/app-failure.ts';
import { parseJson } from '../lib/json.ts';
import { isPage, notService, unexpected } from './responses.ts';
import { resolveAddress } from './base-address.ts';
import { readText } from './bodies.ts';
import type { Http, HttpRequest } from './http.ts';

export interface Classification {
  /** Sent unchanged as `classstr`. */
  name: string;
  description: string | null;
}

const maxListBytes = 1024 * 1024;

const descriptionSchema = z.string().nullish();
const nameSchema = z.string().min(1);
const entrySchema = z.union([nameSchema, z.object({ name: nameSchema, description: descriptionSchema })]);
const namedEntrySchema = z.object({ name: nameSchema.optional(), description: descriptionSchema });
const listSchema = z.union([z.array(entrySchema), z.record(nameSchema, namedEntrySchema)]);

/**
 * Fetches the classifications that a service offers. The interface refers to this method without showing it, so the
 * address is a setting (absolute, or relative to the base address), and the answer may be a JSON array of strings, an
 * array or an object of objects with name and description, or lines of text. The token is sent to the base address's
 * origin only.
 * @throws AppFailure badAddress, unexpectedAnswer and what `Http.send` throws
 */
export async function fetchClassifications(
  http: Http,
  address: string,
  { signal, insecureAllowed }: Pick<HttpRequest, 'signal'> & { insecureAllowed: boolean },
): Promise<Classification[]> {
  const answer = await http.send({
    method: 'GET',
    path: resolveAddress(http.base, address, insecureAllowed),
    headers: { accept: 'application/json, text/plain' },
    signal,
  });
  const { status, headers, body } = answer;
  const text = await readText(body, maxListBytes);
  if (text === undefined) throw unexpected(status, `body: larger than ${maxListBytes} bytes`);
  if (isPage(headers)) throw new AppFailure(notService('page', answer));
  return parseClassifications(status, text);
}

function parseClassifications(status: number, text: string): Classification[] {
  const json = parseJson(text);
  const found = typeof json === 'object' && json !== null ? entriesOf(status, json) : linesOf(status, text);
  return [...new Map(found.map((entry) => [entry.name, entry])).values()];
}

function entriesOf(status: number, json: object): Classification[] {
  const list = listSchema.safeParse(json).data;
  if (!list) throw unexpected(status, 'body: not a list of classifications');
  if (Array.isArray(list)) {
    return list.map((entry) =>
      typeof entry === 'string'
        ? { name: entry, description: null }
        : { name: entry.name, description: entry.description ?? null },
    );
  }
  return Object.entries(list).map(([key, { name, description }]) => ({
    name: name ?? key,
    description: description ?? null,
  }));
}

function linesOf(status: number, text: string): Classification[] {
  if (/^\s*[<[{]/.test(text)) throw unexpected(status, 'body: not a list of classifications');
  return text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((name) => ({ name, description: null }));
}
