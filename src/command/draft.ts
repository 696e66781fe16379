import {
  identifierTemplateDefault,
  separatorDefault,
  versionMarkDefault,
  type ServiceDraft,
} from '../shared/domain/service.ts';

/** A service as the connection form has it when nothing but its address was filled in. */
export function draftOf(name: string, baseAddress: string): ServiceDraft {
  return {
    name,
    baseAddress,
    insecureAllowed: false,
    maxObjectBytes: null,
    maxSecretBytes: null,
    allowsParts: true,
    proxy: { kind: 'system' },
    clientCertificate: { kind: 'none' },
    authority: { kind: 'none' },
    downloadFolder: { kind: 'none' },
    classificationSource: { kind: 'none' },
    identifierTemplate: identifierTemplateDefault,
    separator: separatorDefault,
    versionMark: versionMarkDefault,
  };
}
