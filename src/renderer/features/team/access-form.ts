import type { Output } from '../../../shared/contract.ts';
import type { TeamAccessInput } from '../../../shared/contract/team.ts';
import { teamTexts } from './team-texts.ts';
import type { Chosen } from '../connect/draft.ts';

const texts = teamTexts.access.needs;

/** The form for access to a team's server. */
export type AccessForm = {
  kind: 'invitation' | 'typed';
  /** As pasted. */
  invitation: string;
  host: string;
  port: number;
  database: string;
  role: string;
  password: string;
  authority: Chosen;
  clientCertificate: Chosen;
  passphrase: string;
};

export const emptyForm: AccessForm = {
  kind: 'invitation',
  invitation: '',
  host: '',
  port: 5432,
  database: '',
  role: '',
  password: '',
  authority: { kind: 'none' },
  clientCertificate: { kind: 'none' },
  passphrase: '',
};

/** Without the line breaks that mail programs insert. */
export function invitationOf({ kind, invitation }: Pick<AccessForm, 'kind' | 'invitation'>): string {
  return kind === 'typed' ? '' : invitation.replace(/\s+/gu, '');
}

/** Whether to ask for the password, which an invitation may contain. */
export const asksPassword = (
  { kind }: Pick<AccessForm, 'kind'>,
  read: Output<'team.readInvitation'> | null,
): boolean => kind === 'typed' || read?.hasPassword === false;

/** @param read the parsed invitation; null: not parsed yet, or invalid */
export function isComplete(form: AccessForm, read: Output<'team.readInvitation'> | null): boolean {
  const proves = form.password !== '' || form.clientCertificate.kind === 'grant';
  if (form.kind === 'invitation') return read !== null && (read.hasPassword || proves);
  return [form.host, form.database, form.role].every((text) => text.trim() !== '') && proves;
}

/** What an incomplete form lacks, in words. */
export function needsOf({ kind }: AccessForm, read: Output<'team.readInvitation'> | null): string {
  if (kind === 'typed') return texts.typed;
  return read === null ? texts.invitation : texts.proof;
}

/** Leaves out hidden fields: a password typed for one server is never sent to the server of an invitation. */
export function accessOf(form: AccessForm, read: Output<'team.readInvitation'> | null): TeamAccessInput {
  const { host, port, database, role, password, authority, clientCertificate, passphrase } = form;
  return {
    server:
      form.kind === 'invitation'
        ? { kind: 'invitation', invitation: invitationOf(form) }
        : {
            kind: 'typed',
            host: host.trim(),
            port,
            database: database.trim(),
            role: role.trim(),
            authority: fileOf(authority),
          },
    teamPassword: asksPassword(form, read) && password !== '' ? password : null,
    clientCertificate: fileOf(clientCertificate),
    ...(clientCertificate.kind === 'grant' && { passphrase }),
  };
}

function fileOf(chosen: Chosen): { grant: string } | null {
  return chosen.kind === 'grant' ? { grant: chosen.grant } : null;
}
