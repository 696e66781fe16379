import {
  type ClassificationSource,
  completeAddress,
  hostOf,
  identifierTemplateDefault,
  type ProxySetting,
  separatorDefault,
  type Service,
  type ServiceDraft,
  versionMarkDefault,
} from '../../../shared/domain/service.ts';

export const maxNameLength = 80;

/** A file or folder of the form: the stored one, none, or one just chosen. */
export type Chosen =
  | { kind: 'none' }
  | { kind: 'keep'; label: string }
  | { kind: 'grant'; grant: string; label: string };

/** The form's contents, not validated yet. */
export type ConnectForm = {
  name: string;
  baseAddress: string;
  /** null: keep the service's token. */
  token: string | null;
  insecureAllowed: boolean;
  maxObjectBytes: number | null;
  maxSecretBytes: number | null;
  allowsParts: boolean;
  proxyKind: ProxySetting['kind'];
  proxyAddress: string;
  clientCertificate: Chosen;
  /** null: keep the stored one, if any. */
  passphrase: string | null;
  /** Where the passphrase of the service's certificate is stored. */
  passphraseStoredIn: 'keychain' | 'session' | 'none';
  authority: Chosen;
  downloadFolder: Chosen;
  classificationFrom: ClassificationSource['kind'];
  classificationAddress: string;
  classificationList: string;
  identifierTemplate: string;
  separator: string;
  versionMark: string;
};

export function emptyForm(): ConnectForm {
  return {
    name: '',
    baseAddress: '',
    token: '',
    insecureAllowed: false,
    maxObjectBytes: null,
    maxSecretBytes: null,
    allowsParts: true,
    proxyKind: 'system',
    proxyAddress: '',
    clientCertificate: { kind: 'none' },
    passphrase: null,
    passphraseStoredIn: 'none',
    authority: { kind: 'none' },
    downloadFolder: { kind: 'none' },
    classificationFrom: 'none',
    classificationAddress: '',
    classificationList: '',
    identifierTemplate: identifierTemplateDefault,
    separator: separatorDefault,
    versionMark: versionMarkDefault,
  };
}

export function formOf(service: Service): ConnectForm {
  const { classificationSource: source, authority, proxy, clientCertificate } = service;
  return {
    ...emptyForm(),
    name: service.name,
    baseAddress: service.baseAddress,
    token: service.tokenStoredIn === 'none' && !service.isLocal ? '' : null,
    insecureAllowed: service.insecureAllowed,
    maxObjectBytes: service.maxObjectBytes,
    maxSecretBytes: service.maxSecretBytes,
    allowsParts: service.allowsParts,
    proxyKind: proxy.kind,
    proxyAddress: proxy.kind === 'own' ? proxy.address : '',
    clientCertificate:
      clientCertificate === null ? { kind: 'none' } : { kind: 'keep', label: clientCertificate.fileName },
    passphraseStoredIn: clientCertificate?.passphraseStoredIn ?? 'none',
    authority: authority === null ? { kind: 'none' } : { kind: 'keep', label: authority.fileName },
    downloadFolder: { kind: 'keep', label: service.downloadFolderLabel },
    classificationFrom: source.kind,
    classificationAddress: source.kind === 'address' ? source.address : '',
    classificationList: source.kind === 'list' ? source.values.join('\n') : '',
    identifierTemplate: service.identifierTemplate,
    separator: service.separator,
    versionMark: service.versionMark,
  };
}

/** Whether any optional field except the download folder differs from its default. */
export function hasOptional(form: ConnectForm): boolean {
  return (
    form.proxyKind !== 'system' ||
    form.clientCertificate.kind !== 'none' ||
    form.authority.kind !== 'none' ||
    form.classificationFrom !== 'none' ||
    form.insecureAllowed ||
    form.maxObjectBytes !== null ||
    form.maxSecretBytes !== null ||
    !form.allowsParts ||
    form.identifierTemplate !== identifierTemplateDefault ||
    form.separator !== separatorDefault ||
    form.versionMark !== versionMarkDefault
  );
}

/** The token to send; null: the stored one. A new address requires entering it again. */
export function tokenOf({ token, baseAddress }: ConnectForm, service: Service | null): string | null {
  if (token !== null || service === null || service.isLocal) return token;
  return originOf(completeAddress(baseAddress)) === originOf(service.baseAddress) ? null : '';
}

/** Whether the required fields are filled in. A missing name is derived from the address. */
export function isComplete(
  { baseAddress, proxyKind, proxyAddress }: ConnectForm,
  token: string | null,
): boolean {
  return baseAddress.trim() !== '' && token !== '' && (proxyKind !== 'own' || proxyAddress.trim() !== '');
}

export function draftOf(form: ConnectForm): ServiceDraft {
  return {
    name: form.name.trim() || nameOf(form.baseAddress),
    baseAddress: completeAddress(form.baseAddress),
    insecureAllowed: form.insecureAllowed,
    maxObjectBytes: form.maxObjectBytes,
    maxSecretBytes: form.maxSecretBytes,
    allowsParts: form.allowsParts,
    proxy:
      form.proxyKind === 'own'
        ? { kind: 'own', address: form.proxyAddress.trim() }
        : { kind: form.proxyKind },
    clientCertificate: choiceOf(form.clientCertificate),
    authority: choiceOf(form.authority),
    downloadFolder: choiceOf(form.downloadFolder),
    classificationSource: sourceOf(form),
    identifierTemplate: form.identifierTemplate.trim() || identifierTemplateDefault,
    separator: form.separator || separatorDefault,
    versionMark: form.versionMark || versionMarkDefault,
  };
}

/** The certificate's passphrase to send with the draft; nothing if the stored one is used. */
export function passphraseOf({ clientCertificate, passphrase, passphraseStoredIn }: ConnectForm): {
  passphrase?: string;
} {
  if (clientCertificate.kind === 'none') return {};
  if (passphrase !== null) return { passphrase };
  return clientCertificate.kind === 'grant' || passphraseStoredIn === 'none' ? { passphrase: '' } : {};
}

function choiceOf(chosen: Chosen): ServiceDraft['authority'] {
  return chosen.kind === 'grant' ? { kind: 'grant', grant: chosen.grant } : { kind: chosen.kind };
}

function sourceOf({
  classificationFrom,
  classificationAddress,
  classificationList,
}: ConnectForm): ClassificationSource {
  const address = classificationAddress.trim();
  if (classificationFrom === 'address' && address !== '') return { kind: 'address', address };
  const values = classificationList.split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.trim()]));
  if (classificationFrom === 'list' && values.length > 0)
    return { kind: 'list', values: [...new Set(values)] };
  return { kind: 'none' };
}

function originOf(address: string): string {
  return URL.canParse(address) ? new URL(address).origin : address;
}

/** Default name for a service. */
export function nameOf(baseAddress: string): string {
  return hostOf(baseAddress).slice(0, maxNameLength);
}
