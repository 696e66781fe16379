import type { IncomingMessage, ServerResponse } from 'node:http';

import { Refusal } from './answers.ts';
import type { Answer } from './answers.ts';

export type Exchange = {
  request: IncomingMessage;
  response: ServerResponse;
  /** Of this request. */
  activityToken: string;
  /** The decoded last segment of the path: an identifier, or a deferred token. */
  parameter: string;
  query: URLSearchParams;
};

export type Handler = (exchange: Exchange) => Answer | Promise<Answer>;

/** By method and path, as in `GET /api/data/`: a path that ends in `/` takes one more segment, its parameter. */
export type Routes = Readonly<Record<string, Handler>>;

/** Throws a Refusal: 404 when there is no such operation, 400 when the address is not valid. */
export function findRoute(
  routes: Routes,
  { method = '', url = '' }: IncomingMessage,
): Pick<Exchange, 'parameter' | 'query'> & { run: Handler } {
  const [, path = '', search = ''] = /^([^?]*)\??(.*)$/s.exec(url) ?? [];
  const segment = path.slice(path.lastIndexOf('/') + 1);
  const folder = path.slice(0, path.length - segment.length);
  const run = routes[`${method} ${folder}`] ?? routes[`${method} ${path}`];
  if (run === undefined) throw new Refusal(404, 'Not found.');
  return { run, parameter: decode(segment), query: new URLSearchParams(search) };
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw new Refusal(400, 'Bad HTTP request.');
  }
}
