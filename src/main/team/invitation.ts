import { createHash } from 'node:crypto';
import { z } from 'zod';
import { AppFailure } from '../../shared/app-failure.ts';
import type { AppErrorOf } from '../../shared/errors.ts';
import { parseJson } from '../lib/json.ts';
import { teamPlaceSchema } from './place.ts';

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
