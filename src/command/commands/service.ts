import { errorLine } from '../../shared/i18n/error-text.ts';
import { askHidden } from '../ask.ts';
import type { Service } from '../../shared/domain/service.ts';
import type { Context, Run } from '../context.ts';
import { Usage } from '../errors.ts';
import { draftOf } from '../draft.ts';
import { exitCodeOf, exitCodeWithoutToken, exitCodes, type ExitCode } from '../exit-code.ts';
import { commandTexts as texts } from '../texts.ts';

const maxTokenBytes = 65_536;

/** From standard input, or typed without echo. Never an argument: every process could read it, and shells store a history. */
async function readToken({ io, interrupted }: Context): Promise<string> {
  let text = '';
  if (io.stdin.isTTY) text = (await askHidden(io, texts.tokenPrompt, interrupted)) ?? '';
  else
    for await (const piece of io.stdin.setEncoding('utf8')) {
      text += String(piece);
      if (text.length > maxTokenBytes) break;
    }
  const token = text.trim();
  if (token === '') throw new Usage(texts.noToken);
  return token;
}

/** `coffer service add NAME ADDRESS`, with the token on standard input. */
export function add(name: string, address: string): Run {
  return async (context) => {
    const { coffer, output } = context;
    const draft = draftOf(name, address);
    const service = await coffer.call('services.add', { draft, token: await readToken(context) });
    output.result(texts.serviceAdded({ name: service.name }), {
      name: service.name,
      address: service.baseAddress,
    });
    return codeOfKept(context, service);
  };
}

/** A session token in the app is available to all commands; in this command it is lost at the end, which is an error. */
function codeOfKept({ output, doneBy }: Context, { name, tokenStoredIn }: Service): ExitCode {
  if (doneBy === 'app' || tokenStoredIn !== 'session') return exitCodes.done;
  output.error(texts.tokenNotKept({ name }));
  return exitCodes.token;
}

/** `coffer service test` */
export const test: Run = async (context) => {
  const { coffer, output } = context;
  const { id } = await context.service();
  const { name, connection, trouble } = await coffer.call('services.check', { id });
  output.result(`${name}: ${texts.connection[connection]}`, { name, connection });
  if (trouble) output.error(errorLine(trouble));
  if (connection === 'ready') return exitCodes.done;
  if (connection === 'tokenRefused' || connection === 'tokenMissing') return exitCodeWithoutToken(trouble);
  return trouble ? exitCodeOf(trouble) : exitCodes.tryLater;
};

/** `coffer service token`, with the new token on standard input. */
export const token: Run = async (context) => {
  const { id, name } = await context.service();
  const service = await context.coffer.call('services.setToken', {
    id,
    token: await readToken(context),
  });
  context.output.say(texts.tokenSet({ name }));
  return codeOfKept(context, service);
};
