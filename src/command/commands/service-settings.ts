import { changesWay, type Service } from '../../shared/domain/service.ts';
import { ask } from '../terminal/ask.ts';
import { checkSettings, completeSettings, foundText, signInToProxy } from '../services/check-settings.ts';
import { chooseService, type Context, type Run } from '../context.ts';
import { draftFrom } from '../services/draft.ts';
import { Usage } from '../errors/errors.ts';
import { exitCodes } from '../errors/exit-code.ts';
import { readToken } from '../services/read-token.ts';
import { applyOptions, type ServiceOptions } from '../services/service-options.ts';
import { serviceTexts as texts } from '../services/service-texts.ts';
import { codeOfStored, requireStored } from './service.ts';

/** @throws Usage */
async function find({ coffer }: Context, name: string): Promise<Service> {
  return chooseService(await coffer.call('services.list', undefined), name);
}

/** `coffer service set NAME …`: changes nothing if the test of the new settings fails, unless told not to test. */
export function set(name: string, options: ServiceOptions): Run {
  return async (context) => {
    requireStored(context);
    const { check, try: tries = false, cancelTransfers, ...changes } = options;
    if (Object.keys(changes).length === 0) throw new Usage(texts.nothingToSet);
    const { coffer, output } = context;
    const before = await find(context, name);
    const draft = await applyOptions(context, draftFrom(before), options);
    const settings = await completeSettings(context, draft, before.id, options);
    // Ask for the token again on another route: any program could start this command to redirect the stored one.
    const isOtherWay = changesWay(before, draft);
    const token = isOtherWay ? await readToken(context) : null;
    await signInToProxy(context, settings, token, options);
    const isOtherLogin = options.proxyUser !== undefined || options.passphraseFile !== undefined;
    const found =
      check && (isOtherWay || isOtherLogin || tries)
        ? await checkSettings(context, settings, token, tries, texts.notChanged)
        : null;
    const { passphrase } = settings;
    const service = await coffer.call('services.update', {
      id: before.id,
      draft,
      unfinished: cancelTransfers ? 'cancel' : 'ask',
      ...(token !== null && { token }),
      ...(passphrase !== undefined && { passphrase }),
    });
    output.result(texts.changed({ name: service.name }), changedJson(service));
    if (found) output.say(foundText(found));
    return token === null ? exitCodes.done : codeOfStored(context, service);
  };
}

function changedJson({ name, baseAddress }: Service): object {
  return { name, address: baseAddress };
}

/** `coffer service rename NAME NEW` */
export function rename(before: string, name: string): Run {
  return async (context) => {
    requireStored(context);
    const service = await find(context, before);
    const draft = { ...draftFrom(service), name };
    const renamed = await context.coffer.call('services.update', {
      id: service.id,
      draft,
      unfinished: 'ask',
    });
    context.output.result(texts.renamed({ before: service.name, name: renamed.name }), changedJson(renamed));
    return exitCodes.done;
  };
}

/** `coffer service default NAME` */
export function makeDefault(name: string): Run {
  return async (context) => {
    requireStored(context);
    const service = await find(context, name);
    await context.coffer.call('services.activate', { id: service.id });
    context.output.result(texts.isDefault({ name: service.name }), changedJson(service));
    return exitCodes.done;
  };
}

export interface RemoveOptions {
  readonly yes?: true;
  readonly forgetList?: true;
  readonly dropUnshared?: true;
  readonly dropUnfinished?: true;
}

/** `coffer service rm NAME [--yes] [--forget-list] [--drop-unshared] [--drop-unfinished]`: deletes nothing at the service. */
export function remove(given: string, { yes, forgetList, dropUnshared, dropUnfinished }: RemoveOptions): Run {
  return async (context) => {
    requireStored(context);
    const { io, coffer, output, interrupted } = context;
    if (!yes && !io.stdin.isTTY) throw new Usage(texts.rmRefused);
    const { id, name, baseAddress: address, isLocal } = await find(context, given);
    const list = isLocal
      ? forgetList
        ? texts.localErased
        : texts.localKept
      : (forgetList ? texts.listForgotten : texts.listKept)({ count: await countObjects(context, id) });
    if (!yes) {
      output.error(isLocal ? texts.rmTellsLocal({ name, list }) : texts.rmTells({ name, address, list }));
      const answer = await ask(io, texts.rmAsk({ name }), interrupted);
      if (!/^y(es)?$/i.test(answer?.trim() ?? '')) {
        output.say(texts.rmNot);
        return exitCodes.error;
      }
    }
    await coffer.call('services.remove', {
      id,
      removeCatalogue: forgetList ?? false,
      unshared: dropUnshared ? 'drop' : 'ask',
      unfinished: dropUnfinished ? 'drop' : 'ask',
    });
    output.result(texts.removed({ name, list }), { name, address, listForgotten: forgetList ?? false });
    return exitCodes.done;
  };
}

async function countObjects({ coffer }: Context, serviceId: string): Promise<number> {
  const sort = { column: 'identifier', direction: 'ascending' } as const;
  const pages = (['data', 'secret'] as const).map((kind) => {
    const query = { serviceId, kind, place: { kind: 'all' }, search: '', sort } as const;
    return coffer.call('command.list', { query, offset: 0, limit: 1 });
  });
  return (await Promise.all(pages)).reduce((sum, { total }) => sum + total, 0);
}
