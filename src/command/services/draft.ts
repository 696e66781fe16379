import {
  completeAddress,
  identifierTemplateDefault,
  separatorDefault,
  type Service,
  type ServiceDraft,
  versionMarkDefault,
} from '../../shared/domain/service.ts';

/** A service draft with the connection form's defaults. @param baseAddress as typed */
export function draftOf(name: string, baseAddress: string): ServiceDraft {
  return {
    name,
    baseAddress: completeAddress(baseAddress),
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

/** A draft that changes nothing of this service. */
export function draftFrom(service: Service): ServiceDraft {
  const { name, baseAddress, insecureAllowed, maxObjectBytes, maxSecretBytes, allowsParts } = service;
  const { proxy, classificationSource, identifierTemplate, separator, versionMark } = service;
  const keep = { kind: 'keep' } as const;
  return {
    name,
    baseAddress,
    insecureAllowed,
    maxObjectBytes,
    maxSecretBytes,
    allowsParts,
    proxy,
    clientCertificate: keep,
    authority: keep,
    downloadFolder: keep,
    classificationSource,
    identifierTemplate,
    separator,
    versionMark,
  };
}
