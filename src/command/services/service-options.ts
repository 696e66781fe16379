import { access, constants, readFile, stat } from 'node:fs/promises';
import { decodeText } from '../../main/lib/decode-text.ts';
import { unknownParts } from '../../shared/domain/template.ts';
import { completeAddress, type ServiceDraft } from '../../shared/domain/service.ts';
import { AppFailure } from '../../shared/app-failure.ts';
import type { Context } from '../context.ts';
import { Usage } from '../errors/errors.ts';
import { exitCodes } from '../errors/exit-code.ts';
import type { CommandIo } from '../terminal/io.ts';
import { serviceTexts as texts } from './service-texts.ts';

/** Options of `coffer service add` and `set`: all fields of the connection form. */
export interface ServiceOptions {
  /** `set` only. */
  readonly address?: string;
  readonly cancelTransfers?: true;
  readonly check: boolean;
  readonly try?: true;
  /** system, none or an address. */
  readonly proxy?: string;
  readonly proxyUser?: string;
  readonly proxyPasswordFile?: string;
  /** `ca` and `clientCertificate`: a file, or none. */
  readonly ca?: string;
  readonly clientCertificate?: string;
  readonly passphraseFile?: string;
  /** A folder, or default. */
  readonly downloadFolder?: string;
  /** An address, or none. */
  readonly classificationAddress?: string;
  readonly classification?: readonly string[];
  /** null: the default. */
  readonly maxObject?: number | null;
  readonly maxSecret?: number | null;
  readonly parts?: boolean;
  readonly identifierTemplate?: string;
  readonly separator?: string;
  readonly versionMark?: string;
  readonly allowHttp?: boolean;
}

const maxSecretFileBytes = 4096;

/** Applies the options to a draft. @throws Usage, AppFailure invalidInput (identifierTemplate) */
export async function applyOptions(
  context: Context,
  draft: ServiceDraft,
  options: ServiceOptions,
): Promise<ServiceDraft> {
  const { identifierTemplate = draft.identifierTemplate, separator, versionMark } = options;
  const values = unknownParts(identifierTemplate);
  if (values.length > 0)
    throw new AppFailure({
      code: 'invalidInput',
      field: 'draft.identifierTemplate',
      problem: 'unknownPart',
      values,
    });
  return {
    ...draft,
    identifierTemplate,
    ...(separator !== undefined && { separator }),
    ...(versionMark !== undefined && { versionMark }),
    ...(options.address !== undefined && { baseAddress: completeAddress(options.address) }),
    ...(options.allowHttp !== undefined && { insecureAllowed: options.allowHttp }),
    ...(options.maxObject !== undefined && { maxObjectBytes: options.maxObject }),
    ...(options.maxSecret !== undefined && { maxSecretBytes: options.maxSecret }),
    ...(options.parts !== undefined && { allowsParts: options.parts }),
    proxy: proxyOf(options.proxy) ?? draft.proxy,
    authority: await choiceOf(context, '--ca', options.ca, draft.authority),
    clientCertificate: await choiceOf(
      context,
      '--client-certificate',
      options.clientCertificate,
      draft.clientCertificate,
    ),
    downloadFolder: await choiceOf(
      context,
      '--download-folder',
      options.downloadFolder,
      draft.downloadFolder,
    ),
    classificationSource: sourceOf(options) ?? draft.classificationSource,
  };
}

function proxyOf(given: string | undefined): ServiceDraft['proxy'] | null {
  if (given === undefined) return null;
  return given === 'system' || given === 'none' ? { kind: given } : { kind: 'own', address: given };
}

/** `none` means no file, and `default` the default folder. */
async function choiceOf(
  { io, coffer }: Context,
  option: string,
  given: string | undefined,
  before: ServiceDraft['authority'],
): Promise<ServiceDraft['authority']> {
  if (given === undefined) return before;
  if (given === 'none' || given === 'default') return { kind: 'none' };
  const path = io.resolve(given);
  await requireReadable(option, given, path);
  const [grant = ''] = await coffer.grant([path]);
  return { kind: 'grant', grant };
}

function sourceOf({
  classificationAddress: address,
  classification,
}: ServiceOptions): ServiceDraft['classificationSource'] | null {
  if (address !== undefined && classification) throw new Usage(texts.oneClassificationSource);
  if (classification) return { kind: 'list', values: [...new Set(classification)] };
  if (address === undefined) return null;
  return address === 'none' ? { kind: 'none' } : { kind: 'address', address };
}

/** Reads a file with a password, without its line end. @param option names the file in errors. @throws Usage */
export async function readSecretFile(io: CommandIo, option: string, path: string): Promise<string> {
  const absolute = io.resolve(path);
  return orUnreadable(option, path, async () => {
    if ((await stat(absolute)).size > maxSecretFileBytes)
      throw new Usage(texts.largeFile({ option, path, max: maxSecretFileBytes }));
    const decoded = decodeText(await readFile(absolute));
    if ('badLine' in decoded) throw new Usage(texts.fileNotText({ option, path }));
    return decoded.text.replace(/\r?\n$/, '');
  });
}

/** @param given as it was typed @throws Usage */
export async function requireReadable(option: string, given: string, path: string): Promise<void> {
  await orUnreadable(option, given, () => access(path, constants.R_OK));
}

/** @throws Usage in place of a system error */
async function orUnreadable<T>(option: string, path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (!(cause instanceof Error && 'syscall' in cause && 'code' in cause)) throw cause;
    const code = String(cause.code);
    const isThere = code !== 'ENOENT';
    throw new Usage(
      texts.unreadableFile({ option, path, code }),
      isThere ? exitCodes.error : exitCodes.notFound,
    );
  }
}
