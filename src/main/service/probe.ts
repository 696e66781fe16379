import { randomUUID } from 'node:crypto';
import { AppFailure, toAppError } from '../../shared/app-failure.ts';
import type { Answer, Http, HttpRequest } from './http.ts';
import { isPage, notService, originalLength, unexpected } from './responses.ts';

type Options = Pick<HttpRequest, 'signal'>;

function randomHead({ signal }: Options) {
  return { method: 'HEAD', path: `/api/data/coffer-probe-${randomUUID()}`, signal } as const;
}

/**
 * Checks that this address answers as the service does; throws otherwise. Sends HEAD for a random identifier, which no
 * service has. Any web server answers 404 to that, also under a wrong path, so the same request without a token must
 * be refused: by section 5 a missing credential is answered with 401.
 */
export async function probe(http: Http, options: Options = {}): Promise<void> {
  const request = randomHead(options);
  await requireAbsent(http, { ...request, accepts: [200, 404] });
  const unproven = await http.send({ ...request, authenticated: false, accepts: [200, 401, 404] });
  unproven.body.destroy();
  if (unproven.status !== 401) throw unexpected(unproven.status, 'asks for no token');
}

/**
 * For a 200 to HEAD without the length that belongs to it (section 4.1): whoever says the same of a random identifier
 * says nothing. A 403 is another answer than the 200.
 */
export async function requireTelling(http: Http, options: Options): Promise<void> {
  await requireAbsent(http, { ...randomHead(options), accepts: [200, 403, 404] });
}

async function requireAbsent(http: Http, request: HttpRequest): Promise<void> {
  const answer = await http.send(request);
  answer.body.destroy();
  if (answer.status !== 200) return;
  const isOfPage = isPage(answer.headers) && originalLength(answer.headers) === null;
  throw new AppFailure(notService(isOfPage ? 'page' : 'everything', answer));
}

/**
 * For bytes of a type in which sign-in pages and gateways speak: they are taken for an object only where the service
 * itself answers. @throws AppFailure unexpectedAnswer, and of requests that fail
 */
export async function requireService(http: Http, answer: Answer, options: Options): Promise<void> {
  try {
    await probe(http, options);
  } catch (cause) {
    throw toAppError(cause)?.code === 'unexpectedAnswer' ? mistaken(answer, cause) : cause;
  }
}

/** The error for bytes that are not the service's. */
export function mistaken(answer: Answer, cause: unknown): AppFailure {
  return new AppFailure(notService(isPage(answer.headers) ? 'page' : 'everything', answer), { cause });
}

/**
 * A page or a redirect in answer to one request is that of a network only where the address is not the service now.
 * Otherwise the service, or what filters its requests, has answered this one like that, and nothing else need wait.
 * @returns the error to throw
 */
export async function judgeMistaken(http: Http, cause: unknown, options: Options = {}): Promise<unknown> {
  const error = toAppError(cause);
  if (error?.code !== 'unexpectedAnswer' || error.notService === undefined) return cause;
  try {
    await probe(http, options);
  } catch {
    return cause;
  }
  const { status, problem } = error;
  return new AppFailure({ code: 'unexpectedAnswer', status, problem }, { cause });
}
