import { createHash, X509Certificate } from 'node:crypto';
import { z } from 'zod';
import { AppFailure } from '../../shared/app-failure.ts';
import type { AppErrorOf } from '../../shared/errors.ts';
import { invitationMax } from '../../shared/domain/team-choices.ts';
import { parseJson } from '../lib/json.ts';
import { teamPlaceSchema } from './place.ts';
import { valueOf } from './team-thread.ts';
import type { TeamServer } from './wire/server.ts';

/*
 * One line of text: `coffer-team:1.` and the JSON below in base64url, then a dot and the first characters of its
 * SHA-256, which reveal a truncated line. Anyone who has it can join until somebody does, so it is never logged and
 * never an argument of a program. One for another computer of the same person works until the role's password changes:
 * a role has one password, and joining by replacing it would lock out the first computer.
 */

const mark = 'coffer-team:';
const version = '1';
const sumLength = 12;

const invitationSchema = teamPlaceSchema.omit({ clientCertificate: true }).extend({
  list: z.number().int().positive(),
  /** null: the person knows their password. */
  password: z.string().min(1).max(1024).nullable(),
  /** For joining once, which replaces the password. false: for another computer of the same person; both keep it. */
  isOneTime: z.boolean().default(true),
  /** The name of the inviting person. */
  from: z.string().max(80).nullable(),
});
export type Invitation = z.infer<typeof invitationSchema>;

const sumOf = (body: string) => createHash('sha256').update(body).digest('base64url').slice(0, sumLength);

export function writeInvitation(invitation: z.input<typeof invitationSchema>): string {
  const body = Buffer.from(JSON.stringify(invitation)).toString('base64url');
  return `${mark}${version}.${body}.${sumOf(body)}`;
}

/** @param text may have been broken into lines, as mail does @throws AppFailure badInvitation */
export function readInvitation(text: string): Invitation {
  const line = text.replace(/\s+/g, '');
  if (!line.startsWith(mark)) return refuse('notOne');
  const [given, body = '', sum] = line.slice(mark.length).split('.');
  if (given !== version) return refuse(/^\d+$/.test(given ?? '') ? 'newer' : 'cut');
  if (sum !== sumOf(body)) return refuse('cut');
  const found = invitationSchema.safeParse(parseJson(Buffer.from(body, 'base64url').toString()));
  return found.success ? found.data : refuse('newer');
}

function refuse(problem: AppErrorOf<'badInvitation'>['problem']): never {
  throw new AppFailure({ code: 'badInvitation', problem });
}

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
