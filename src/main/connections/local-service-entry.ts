import { mainTexts } from '../texts.ts';
import {
  identifierTemplateDefault,
  separatorDefault,
  versionMarkDefault,
} from '../../shared/domain/service.ts';
import { localProfileId } from './local-service.ts';
import type { StoredProfile } from './service-repository.ts';

/** The profile of the built-in service, under a name that none of the others has. */
export function makeLocalProfile(baseAddress: string, others: readonly StoredProfile[]): StoredProfile {
  return {
    id: localProfileId,
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
    ifExists: 'ask',
    request: 'direct',
  };
}

function freeName(others: readonly StoredProfile[]): string {
  const taken = new Set(others.map((profile) => profile.name.toLowerCase()));
  let name = mainTexts.localProfile;
  for (let number = 2; taken.has(name.toLowerCase()); number += 1)
    name = mainTexts.localProfileNumber({ number });
  return name;
}
