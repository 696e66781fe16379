import { Readable } from 'node:stream';
import { deleteData, downloadData, headData, uploadData } from '../../../src/main/service/data.ts';
import { checkDeferred, fetchDeferred, startDownload } from '../../../src/main/service/deferred.ts';
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

/** What the client makes of the page in place of an answer. @param what as the simulated service names requests */
export async function readPage(what: string, id: string): Promise<unknown> {
  switch (what) {
    case 'HEAD':
      return headData(http, id);
    case 'GET':
      return downloadData(http, id);
    case 'fetch':
      return fetchDeferred(http, 'data', id);
    case 'check':
      return checkDeferred(http, 'data', id);
    case 'DELETE':
      return deleteData(http, id);
    case 'POST':
      return uploadData(http, id, new Uint8Array(), { lengthBytes: 0, classification: null });
    default:
      return startDownload(http, 'data', id);
  }
}
