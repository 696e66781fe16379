import type { Service } from '../../shared/domain/service.ts';
import {
  checkSettings,
  completeSettings,
  foundText,
  signInToProxy,
  tryObject,
} from '../services/check-settings.ts';
import type { Context, Run } from '../context.ts';
import { Usage } from '../errors/errors.ts';
import { draftFrom, draftOf } from '../services/draft.ts';
import { errorLine } from '../errors/error-line.ts';
import { exitCodeOf, exitCodeWithoutToken, exitCodes, type ExitCode } from '../errors/exit-code.ts';
import { readToken } from '../services/read-token.ts';
import { applyOptions, type ServiceOptions } from '../services/service-options.ts';
import { serviceTexts as texts } from '../services/service-texts.ts';
import { commandTexts } from '../texts.ts';

/** `coffer service add NAME ADDRESS`, with the token on standard input. Adds nothing if the test fails, unless told not to test. */
export function add(name: string, address: string, options: ServiceOptions): Run {
  return async (context) => {
    requireStored(context);
    const { coffer, output } = context;
    const draft = await applyOptions(context, draftOf(name, address), options);
    const settings = await completeSettings(context, draft, null, options);
    const token = await readToken(context);
    await signInToProxy(context, settings, token, options);
    const isTried = options.try ?? false;
    const found = options.check
      ? await checkSettings(context, settings, token, isTried, texts.notAdded)
      : null;
    const { passphrase } = settings;
    const service = await coffer.call('services.add', {
      draft,
      token,
      ...(passphrase !== undefined && { passphrase }),
    });
    output.result((found ? texts.added : texts.addedUnchecked)({ name: service.name }), {
      name: service.name,
      address: service.baseAddress,
      checked: found !== null,
    });
    if (found) output.say(foundText(found));
    return codeOfStored(context, service);
  };
}

/** @throws Usage if the service is set only by the environment, so that a change would be lost */
export function requireStored({ hasList }: Context): void {
  if (!hasList) throw new Usage(texts.notStored);
}

/**
 * A token held for the session is available to all commands in the app. Without the app it is lost when the command that does the work
 * ends, which is an error.
 */
export function codeOfStored({ output, doneBy }: Context, { name, tokenStoredIn }: Service): ExitCode {
  if (doneBy === 'app' || tokenStoredIn !== 'session') return exitCodes.done;
  output.error(texts.tokenNotKept({ name }));
  return exitCodes.token;
}

/** `coffer service test [--try]` */
export function test({ tries }: { tries: boolean }): Run {
  return async (context) => {
    const { coffer, output } = context;
    const { id } = await context.service();
    const service = await coffer.call('services.check', { id });
    const { name, connection, trouble } = service;
    output.result(`${name}: ${commandTexts.connection[connection]}`, { name, connection });
    if (trouble) output.error(errorLine(trouble));
    if (connection !== 'ready' || !tries) return codeOfConnection(service);
    const failed = await tryObject(context, { draft: draftFrom(service), serviceId: id }, null);
    if (!failed) output.say(texts.tried({ name }));
    else output.error(`${name}: ${errorLine(failed)}`);
    return failed ? exitCodeOf(failed) : exitCodes.done;
  };
}

/** The exit code for a service that was just checked. */
export function codeOfConnection({ connection, trouble }: Service): ExitCode {
  if (connection === 'ready') return exitCodes.done;
  if (connection === 'tokenRefused' || connection === 'tokenMissing') return exitCodeWithoutToken(trouble);
  return trouble ? exitCodeOf(trouble) : exitCodes.tryLater;
}

/** `coffer service token`, with the new token on standard input. */
export const token: Run = async (context) => {
  requireStored(context);
  const { coffer, output } = context;
  const { id } = await context.service();
  const service = await coffer.call('services.setToken', { id, token: await readToken(context) });
  const { name, connection, trouble } = service;
  if (connection === 'tokenRefused') {
    output.error(texts.tokenRefused({ name }));
    return exitCodes.token;
  }
  if (connection === 'ready') output.say(texts.tokenTaken({ name }));
  else if (trouble) output.say(texts.tokenUnchecked({ name, why: errorLine(trouble) }));
  else output.say(texts.tokenSet({ name }));
  return codeOfStored(context, service);
};
