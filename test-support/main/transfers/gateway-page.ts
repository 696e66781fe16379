import { Readable } from 'node:stream';
import { clientOver } from '../../../src/main/service/client.ts';
import { readJson, type Http } from '../../../src/main/service/http.ts';

const page = '<!doctype html><title>Sign in</title>';
const headers = { 'content-type': 'text/html; charset=utf-8' };
const answer = () => ({
  host: 'one',
  status: 200,
  headers,
  lengthBytes: page.length,
  body: Readable.from([Buffer.from(page)]),
});

/** A gateway that answers every request with its page to sign in, and with 200. */
const http = {
  send: async () => answer(),
  sendForJson: async (_, schema) => readJson(answer(), schema),
} satisfies Pick<Http, 'send' | 'sendForJson'> as unknown as Http;

const client = clientOver(http);

/** What the client makes of the page in place of an answer. @param what as the simulated service names requests */
export async function readPage(what: string, id: string): Promise<unknown> {
  switch (what) {
    case 'HEAD':
      return client.headData(id);
    case 'GET':
      return client.downloadData(id);
    case 'fetch':
      return client.fetchDataDeferred(id);
    case 'check':
      return client.checkDataDeferred(id);
    case 'DELETE':
      return client.deleteData(id);
    case 'POST':
      return client.uploadData(id, new Uint8Array(), { lengthBytes: 0, classification: null });
    default:
      return client.startDataDownload(id);
  }
}
