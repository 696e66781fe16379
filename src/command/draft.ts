import {
  identifierTemplateDefault,
  separatorDefault,
  versionMarkDefault,
  type ServiceDraft,
} from '../shared/domain/service.ts';

/** A service draft with the connection form's defaults. */
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
