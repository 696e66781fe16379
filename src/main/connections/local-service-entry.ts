import { mainTexts } from '../texts.ts';
import {
  identifierTemplateDefault,
  separatorDefault,
  versionMarkDefault,
} from '../../shared/domain/service.ts';
import { localServiceId } from './local-service.ts';
import type { StoredService } from './service-repository.ts';

/** The entry of the built-in service, under a unique name. */
export function makeLocalService(baseAddress: string, others: readonly StoredService[]): StoredService {
  return {
    id: localServiceId,
    name: freeName(others),
    baseAddress,
    isLocal: true,
    insecureAllowed: false,
    maxObjectBytes: null,
    maxSecretBytes: null,
    allowsParts: true,
    proxy: { kind: 'none' },
    clientCertificate: null,
    authority: null,
    downloadFolder: null,
    // Relative to the base address, whose port changes.
    classificationSource: { kind: 'address', address: '/api/classifications' },
    identifierTemplate: identifierTemplateDefault,
    separator: separatorDefault,
    versionMark: versionMarkDefault,
  };
}

function freeName(others: readonly StoredService[]): string {
  const taken = new Set(others.map((service) => service.name.toLowerCase()));
  let name = mainTexts.localService;
  for (let number = 2; taken.has(name.toLowerCase()); number += 1)
    name = mainTexts.localServiceNumber({ number });
  return name;
}
