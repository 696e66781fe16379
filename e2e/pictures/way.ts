import { createServer, request as send, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Readable, Writable } from 'node:stream';
import { z } from 'zod';

/** What blocks a deferred request. */
export type Obstacle = 'keepsProcessing' | 'forgotten' | { standsAtBytes: number };

export type Way = { baseAddress: string; close(): Promise<void> };

const startSchema = z.object({ DeferredToken: z.string() });

/** A connection to a service on which requests for some identifiers stall until the picture is taken. */
export async function openWay(
  service: { port: number },
  obstacles: ReadonlyMap<string, Obstacle>,
): Promise<Way> {
  /** Identifiers by deferred token. */
  const identifiers = new Map<string, string>();
  const http = createServer((request, response) => {
    const { method, url: path = '', headers } = request;
    const [, step, last = ''] = /\/deferred\/(start|check|fetch)\/([^?]+)/.exec(path) ?? [];
    const name = decodeURIComponent(last);
    const obstacle = obstacles.get(step === 'start' ? name : (identifiers.get(name) ?? ''));
    if (step === 'check' && obstacle === 'keepsProcessing') {
      response.writeHead(202, { 'content-type': 'text/plain' }).end('The request is still processing.');
      return;
    }
    if (step === 'check' && obstacle === 'forgotten') {
      response.writeHead(404, { 'content-type': 'application/json' });
      response.end('{"success":false,"status":404,"message":"unknown token","activityToken":"5c1d07e2"}');
      return;
    }
    const maxBytes = typeof obstacle === 'object' ? obstacle.standsAtBytes : Infinity;
    const to = { host: '127.0.0.1', port: service.port, agent: false, method, path, headers };
    const onward = send(to, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      if (step === 'start') noteToken(answer, name);
      pass(answer, response, step === 'fetch' ? maxBytes : Infinity);
    });
    pass(request, onward, maxBytes);
  });

  function noteToken(answer: IncomingMessage, identifier: string): void {
    let text = '';
    answer.on('data', (piece: Buffer) => (text += piece.toString()));
    answer.on('end', () => {
      if (answer.statusCode === 200)
        identifiers.set(startSchema.parse(JSON.parse(text)).DeferredToken, identifier);
    });
  }

  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  return {
    baseAddress: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    async close() {
      const closed = new Promise((resolve) => http.close(resolve));
      http.closeAllConnections();
      await closed;
    },
  };
}

function pass(from: Readable, to: Writable, maxBytes: number): void {
  let passedBytes = 0;
  from.on('data', (piece: Buffer) => {
    passedBytes += piece.length;
    to.write(piece);
    if (passedBytes >= maxBytes) from.pause();
  });
  from.on('end', () => to.end());
  // An error on one side ends the other.
  from.on('error', () => to.destroy());
  to.on('error', () => from.destroy());
}
