import type { ServiceDraft } from '../../shared/domain/service.ts';
import { AppFailure } from '../../shared/app-failure.ts';
import { stat } from '../local-files/fs.ts';
import type { Grants } from '../local-files/grants.ts';
import { readAuthority } from './authority.ts';
import { readCertificateFile } from './certificate-file.ts';
import type { StoredService } from './service-repository.ts';

type Before = Pick<StoredService, 'authority' | 'clientCertificate' | 'downloadFolder'> | undefined;

/** Reads the files and the folder of a draft. @throws AppFailure badAuthorityFile, badClientCertificate, notFound (grant), invalidInput */
export async function resolveChoices(draft: ServiceDraft, before: Before, grants: Grants) {
  return {
    authority: await resolveAuthority(draft, before, grants),
    clientCertificate: await resolveCertificate(draft, before, grants),
    downloadFolder: await resolveFolder(draft, before, grants),
  };
}

export async function resolveAuthority(
  { authority }: Pick<ServiceDraft, 'authority'>,
  before: Before,
  grants: Grants,
): Promise<StoredService['authority']> {
  if (authority.kind === 'keep') return before?.authority ?? null;
  return authority.kind === 'grant' ? readAuthority(grants.resolve(authority.grant)) : null;
}

export async function resolveCertificate(
  { clientCertificate }: Pick<ServiceDraft, 'clientCertificate'>,
  before: Before,
  grants: Grants,
): Promise<StoredService['clientCertificate']> {
  if (clientCertificate.kind === 'keep') return before?.clientCertificate ?? null;
  return clientCertificate.kind === 'grant'
    ? readCertificateFile(grants.resolve(clientCertificate.grant))
    : null;
}

async function resolveFolder({ downloadFolder }: ServiceDraft, before: Before, grants: Grants) {
  if (downloadFolder.kind === 'keep') return before?.downloadFolder ?? null;
  if (downloadFolder.kind === 'none') return null;
  const path = grants.resolve(downloadFolder.grant);
  const found = await stat(path).catch(() => null);
  if (!found?.isDirectory()) {
    throw new AppFailure({ code: 'invalidInput', field: 'downloadFolder', problem: 'notAFolder' });
  }
  return path;
}

/** Releases the grants, since the files were read. */
export function forgetChoices(draft: ServiceDraft, grants: Grants): void {
  for (const choice of [draft.authority, draft.clientCertificate, draft.downloadFolder]) {
    if (choice.kind === 'grant') grants.forget([choice.grant]);
  }
}
