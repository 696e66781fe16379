import { X509Certificate } from 'node:crypto';
import { AppFailure } from '../../shared/app-failure.ts';
import { invitationMax } from '../../shared/domain/team-choices.ts';
import { writeInvitation, type Invitation } from './invitation.ts';
import { valueOf } from './team-thread.ts';
import type { TeamServer } from './wire/server.ts';

type Told = Omit<Invitation, 'password' | 'isOneTime'>;
type Proof = Pick<Invitation, 'password'> & Partial<Pick<Invitation, 'isOneTime'>>;

/** Longer than any drawn password. */
const anyPassword = 'x'.repeat(64);

/**
 * An invitation short enough to be read again. If a file of authorities is too long, only those that sign this server's
 * certificate are included; one that fits is included whole, as it may contain the next authority already.
 * @param server connected
 * @throws AppFailure teamInvite longAuthority
 */
export async function writeFittingInvitation(
  server: Pick<TeamServer, 'certificates'>,
  { host, port, database, role, authority, list, from }: Told,
): Promise<(proof: Proof) => string> {
  const writeWith = (pem: string | null) => (proof: Proof) =>
    writeInvitation({ host, port, database, role, authority: pem, list, from, ...proof });
  const fits = (write: ReturnType<typeof writeWith>) =>
    write({ password: anyPassword }).length <= invitationMax;
  const whole = writeWith(authority);
  if (fits(whole) || authority === null) return whole;
  const signing = writeWith(signersIn(authority, await valueOf(server.certificates())));
  if (fits(signing)) return signing;
  throw new AppFailure({ code: 'teamInvite', problem: 'longAuthority', role });
}

function signersIn(authority: string, fingerprints: readonly string[]): string | null {
  const all = authority.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  const signers = all.filter((pem) => fingerprints.includes(new X509Certificate(pem).fingerprint256));
  return signers.length === 0 ? null : `${signers.join('\n')}\n`;
}
