import { X509Certificate } from 'node:crypto';
import type { TeamAccessInput } from '../../shared/contract/team.ts';
import { AppFailure } from '../../shared/app-failure.ts';
import { readAuthority } from '../connections/authority.ts';
import { readCertificateFile, requireOpens } from '../connections/certificate-file.ts';
import type { Grants } from '../local-files/grants.ts';
import { readInvitation, type Invitation } from './invitation.ts';
import { teamPlaceSchema, type TeamCredentials, type TeamPlace } from './place.ts';

export type PasswordKind = 'oneTime' | 'drawn' | 'known';

/** What a person entered, with the contents of its files. */
export interface TeamAccess {
  readonly place: TeamPlace;
  /** null: neither a password nor a certificate was given. */
  readonly given: TeamCredentials | null;
  /** oneTime: an invitation's, to be replaced; drawn: in use on another computer of this person; known: to the person. */
  readonly password: PasswordKind;
}

/** @throws AppFailure badInvitation, badAuthorityFile, badClientCertificate, invalidInput, notFound (grant) */
export async function readAccess(input: TeamAccessInput, grants: Grants): Promise<TeamAccess> {
  const { server, teamPassword, clientCertificate: file, passphrase = '' } = input;
  const certificate = file === null ? null : await readCertificateFile(grants.resolve(file.grant));
  if (certificate !== null) requireOpens(certificate, passphrase);
  const clientCertificate = certificate && { form: 'pfx' as const, base64: certificate.pfx };
  const invitation = server.kind === 'invitation' ? readInvitation(server.invitation) : null;
  const password = teamPassword ?? invitation?.password ?? null;
  const isProof = password !== null || certificate !== null;
  return {
    place: requirePlace({ ...(await readServer(server, grants)), clientCertificate }),
    given: isProof ? { password, passphrase: certificate && passphrase } : null,
    password: teamPassword === null && invitation !== null ? passwordKindOf(invitation) : 'known',
  };
}

export const passwordKindOf = ({ password, isOneTime }: Invitation): PasswordKind => {
  if (password === null) return 'known';
  return isOneTime ? 'oneTime' : 'drawn';
};

async function readServer(
  server: TeamAccessInput['server'],
  grants: Grants,
): Promise<Omit<TeamPlace, 'clientCertificate'>> {
  if (server.kind === 'invitation') return readInvitation(server.invitation);
  const { host, port, database, role, authority: file } = server;
  const authority = file === null ? null : (await readAuthority(grants.resolve(file.grant))).pem;
  return { host, port, database, role, authority };
}

function requirePlace(place: TeamPlace): TeamPlace {
  const found = teamPlaceSchema.safeParse(place);
  if (found.success) return found.data;
  const field = String(found.error.issues[0]?.path[0] ?? 'host');
  throw new AppFailure({ code: 'invalidInput', field, problem: 'characters' });
}

/** The subject of an authority's certificate; null: there is none, or it cannot be read. */
export function nameOfAuthority(pem: string | null): string | null {
  if (pem === null) return null;
  try {
    return new X509Certificate(pem).subject.replaceAll('\n', ', ');
  } catch {
    return null;
  }
}

/** Call when they have been read. */
export function forgetFiles({ server, clientCertificate }: TeamAccessInput, grants: Grants): void {
  if (clientCertificate !== null) grants.forget([clientCertificate.grant]);
  if (server.kind === 'typed' && server.authority !== null) grants.forget([server.authority.grant]);
}

/** PostgreSQL would truncate a longer name, and so mean another role. @throws AppFailure invalidInput */
export function requireRole(role: string, field: string): void {
  const limit = 63;
  if (Buffer.byteLength(role) > limit)
    throw new AppFailure({ code: 'invalidInput', field, problem: 'tooLong', limit });
}
