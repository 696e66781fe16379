import type { Input, Output } from '../../shared/contract.ts';
import type { TeamAccessInput } from '../../shared/contract/team.ts';
import { invitationMax, type TeamKeep, type TeamMay } from '../../shared/domain/team-choices.ts';
import type { Service } from '../../shared/domain/service.ts';
import { teamStateLine, teamTrouble } from '../../shared/i18n/team-text.ts';
import { toAppError } from '../../shared/app-failure.ts';
import { ask, askHidden } from '../terminal/ask.ts';
import type { Context, Run } from '../context.ts';
import { Usage } from '../errors/errors.ts';
import { exitCodes } from '../errors/exit-code.ts';
import { toIso } from '../terminal/json.ts';
import { readUnseen } from '../services/read-token.ts';
import { forValues } from '../secrets/read-secrets.ts';
import { readSecretFile, requireReadable } from '../services/service-options.ts';
import { teamTexts as texts } from './team-texts.ts';

export interface JoinOptions {
  readonly list?: string;
  readonly onlyNew?: true;
  readonly anyAddress?: true;
  readonly yes?: true;
  readonly server?: string;
  readonly port?: number;
  readonly database?: string;
  readonly role?: string;
  readonly ca?: string;
  readonly clientCertificate?: string;
  readonly passphraseFile?: string;
}

/** PostgreSQL's default. */
const usualPort = 5432;

/** `coffer team join`: asks for the invitation (with `--server` the password), or reads it from standard input. */
export function join(options: JoinOptions): Run {
  return async (context) => {
    requireStored(context);
    const { coffer, output, doneBy } = context;
    const service = await context.service();
    const [access, found] = await look(context, await readAccess(context, options));
    const { id: list, name } = chooseList(found, service, options.list);
    const { onlyNew = false, anyAddress = false, yes = false } = options;
    if (!(await agreesToJoin(context, found, name, { onlyNew, yes }))) return exitCodes.error;
    const joining = { serviceId: service.id, access, list, sharesEarlier: !onlyNew, anyAddress };
    await coffer.call('team.join', joining);
    const { shown } = found;
    output.result(texts.joined({ service: service.name, list: name, shown }), {
      service: service.name,
      list: name,
      as: shown,
    });
    if (doneBy !== 'app') output.say(texts.joinedAlone);
    const { team } = await coffer.call('team.status', { serviceId: service.id });
    if (team?.passwordStoredIn === 'session') output.error(texts.sessionOnly);
    return exitCodes.done;
  };
}

/** Anyone could have sent the invitation, so shows its server on a terminal before anything is shared. */
async function agreesToJoin(
  { io, output, interrupted }: Context,
  { server }: Output<'team.inspect'>,
  list: string,
  { onlyNew, yes }: { onlyNew: boolean; yes: boolean },
): Promise<boolean> {
  output.say(texts.place({ list, ...server, port: String(server.port) }));
  output.say(texts.ownerReads);
  if (yes || !io.stdin.isTTY) return true;
  const answer = await ask(io, onlyNew ? texts.askOnlyNew : texts.askAll, interrupted);
  if (/^y(es)?$/i.test(answer?.trim() ?? '')) return true;
  output.say(texts.notJoined);
  return false;
}

/** `coffer team sign-in`: like `join`, for the team already joined. */
export const signIn: Run = async (context) => {
  requireStored(context);
  const { coffer, output } = context;
  const { id: serviceId, name: service } = await context.service();
  const given = await readUnseen(context, texts.proofPrompt, invitationMax);
  if (given === '') throw new Usage(texts.noInvitation);
  if (given.length > invitationMax) throw new Usage(texts.longInput({ max: invitationMax }));
  const proof: Input<'team.signIn'>['proof'] = given.startsWith('coffer-team:')
    ? { kind: 'invitation', invitation: given }
    : { kind: 'password', teamPassword: given };
  await coffer.call('team.signIn', { serviceId, proof });
  output.result(texts.signedIn({ service }), { service, signedIn: true });
  return exitCodes.done;
};

/** `coffer team status` */
export const status: Run = async (context) => {
  requireStored(context);
  const { coffer, output } = context;
  const { id: serviceId, name: service } = await context.service();
  const { team } = await coffer.call('team.status', { serviceId });
  if (team === null) {
    output.result(texts.none({ service }), { service, ...noTeam });
    return exitCodes.done;
  }
  const { syncState, due, setAside, noteConflicts, list, server } = team;
  const place = texts.place({ list: list.name, ...server, port: String(server.port) });
  output.result(`${texts.state({ service, state: teamStateLine(team) })}\n  ${place}`, {
    service,
    list: list.name,
    state: syncState.kind,
    asOf: syncState.kind === 'asOf' ? toIso(syncState.ms) : null,
    why: 'why' in syncState ? syncState.why : null,
    due,
    setAside,
    keptApart: noteConflicts,
  });
  const trouble = teamTrouble(syncState);
  if (trouble) output.say(`${trouble.what} ${trouble.next}`);
  if (setAside > 0) output.say(texts.setAside({ count: setAside }));
  if (noteConflicts > 0) output.say(texts.keptApart({ count: noteConflicts }));
  return exitCodes.done;
};

const noTeam = { list: null, state: 'none', asOf: null, why: null, due: 0, setAside: 0, keptApart: 0 };

/** `coffer team sync` */
export const sync: Run = async (context) => {
  requireStored(context);
  const { coffer, output } = context;
  const { id: serviceId, name: service } = await context.service();
  const { due, setAside } = await coffer.call('team.sync', { serviceId });
  output.result(texts.synced({ service }), { service, due, setAside });
  if (setAside === 0) return exitCodes.done;
  output.error(texts.setAside({ count: setAside }));
  return exitCodes.someFailed;
};

/** `coffer team leave [--keep own|all|none] [--drop-unshared]` */
export function leave({ keep, dropUnshared }: { keep: TeamKeep; dropUnshared?: true }): Run {
  return async (context) => {
    requireStored(context);
    const { coffer, output } = context;
    const { id: serviceId, name: service } = await context.service();
    const { team } = await coffer.call('team.status', { serviceId });
    await coffer.call('team.leave', { serviceId, keep, unshared: dropUnshared ? 'drop' : 'ask' });
    const list = team?.list.name ?? '';
    output.result(texts.left({ service, list }), { service, list });
    return exitCodes.done;
  };
}

/** `coffer team people` */
export const people: Run = async (context) => {
  requireStored(context);
  const { coffer, output } = context;
  const { id: serviceId, name: service } = await context.service();
  const found = await coffer.call('team.people', { serviceId });
  if (found.me === null) output.say(texts.none({ service }));
  for (const { id, shown, isEnded } of found.people) {
    const text = (isEnded ? texts.personEnded : texts.person)({ number: String(id), name: shown });
    output.result(text, { number: id, name: shown, isYou: id === found.me, isEnded });
  }
  return exitCodes.done;
};

/** `coffer team invite ROLE [--name NAME] [--may read|contribute|curate]`: prints the invitation. */
export function invite(role: string, { name = role, may }: { name?: string; may: TeamMay }): Run {
  return async (context) => {
    requireStored(context);
    const { coffer } = context;
    const { id: serviceId } = await context.service();
    const asked = { serviceId, role, shown: name, may };
    const invited = await coffer.call('team.invite', asked);
    sayInvitation(context, name, invited);
    return exitCodes.done;
  };
}

/** @param name of the invited person */
export function sayInvitation(
  { output }: Context,
  name: string,
  { invitation, hasPassword, isRenewed = false }: Output<'team.invite'>,
): void {
  output.result(invitation, { invitation, hasPassword, isRenewed });
  if (isRenewed) output.say(texts.inviteRenewed({ name }));
  else output.say(hasPassword ? texts.inviteOnce({ name }) : texts.knownPassword);
}

/** `coffer team invite-computer`: prints an invitation for another computer of the same person. */
export const inviteComputer: Run = async (given) => {
  requireStored(given);
  if (given.doneBy === 'app') throw new Usage(texts.computerInApp, exitCodes.forbidden);
  const context = await forValues(given);
  const { coffer, output } = context;
  const { id: serviceId } = await context.service();
  const { invitation, hasPassword } = await coffer.call('team.inviteComputer', { serviceId });
  output.result(invitation, { invitation, hasPassword, isRenewed: false });
  output.say(hasPassword ? texts.computerKeeps : texts.computerAsks);
  return exitCodes.done;
};

/** @throws Usage without a stored list: the team would be lost at the end of the command */
export function requireStored({ hasList }: Context): void {
  if (!hasList) throw new Usage(texts.notStored);
}

export async function readAccess(context: Context, options: JoinOptions): Promise<TeamAccessInput> {
  const { io } = context;
  const { server: host, port = usualPort, database, role, passphraseFile } = options;
  const clientCertificate = await fileOf(context, '--client-certificate', options.clientCertificate);
  const passphrase =
    passphraseFile === undefined ? undefined : await readSecretFile(io, '--passphrase-file', passphraseFile);
  const certificate = { clientCertificate, ...(passphrase !== undefined && { passphrase }) };
  if (host === undefined) {
    if ([options.port, database, role, options.ca].some((each) => each !== undefined))
      throw new Usage(texts.needsServer);
    const invitation = await readUnseen(context, texts.invitationPrompt, invitationMax);
    if (invitation === '') throw new Usage(texts.noInvitation);
    if (invitation.length > invitationMax) throw new Usage(texts.longInput({ max: invitationMax }));
    return { server: { kind: 'invitation', invitation }, teamPassword: null, ...certificate };
  }
  if (database === undefined || role === undefined) throw new Usage(texts.needsAll);
  const authority = await fileOf(context, '--ca', options.ca);
  const given = await readUnseen(context, texts.passwordPrompt({ role, host }), invitationMax);
  if (given === '' && clientCertificate === null) throw new Usage(texts.noPassword);
  const server = { kind: 'typed' as const, host, port, database, role, authority };
  return { server, teamPassword: given === '' ? null : given, ...certificate };
}

async function fileOf({ io, coffer }: Context, option: string, given: string | undefined) {
  if (given === undefined) return null;
  const path = io.resolve(given);
  await requireReadable(option, given, path);
  const [grant = ''] = await coffer.grant([path]);
  return { grant };
}

/** Asks for the password on a terminal if the invitation has none. */
async function look(
  { io, coffer, interrupted }: Context,
  access: TeamAccessInput,
): Promise<[TeamAccessInput, Output<'team.inspect'>]> {
  try {
    return [access, await coffer.call('team.inspect', { access })];
  } catch (cause) {
    const error = toAppError(cause);
    if (error?.code !== 'teamPasswordMissing' || !io.stdin.isTTY) throw cause;
    const { role, host } = error;
    const teamPassword = await askHidden(io, texts.passwordPrompt({ role, host }), interrupted);
    if (!teamPassword) throw new Usage(texts.noPassword, exitCodes.token);
    const proven = { ...access, teamPassword };
    return [proven, await coffer.call('team.inspect', { access: proven })];
  }
}

/** @param wanted the list's name; by default the only list for the service's address, or the only list */
function chooseList({ lists }: Output<'team.inspect'>, service: Service, wanted: string | undefined) {
  if (lists.length === 0) throw new Usage(texts.noList, exitCodes.forbidden);
  const known = lists.map(({ name }) => name).join(', ');
  if (wanted !== undefined) {
    const found = lists.find(({ name }) => name === wanted);
    if (!found) throw new Usage(texts.unknownList({ name: wanted, known }), exitCodes.notFound);
    return found;
  }
  const own = lists.filter(({ serviceIds }) => serviceIds.includes(service.id));
  const [only, ...others] = own.length > 0 ? own : lists;
  if (!only || others.length > 0) throw new Usage(texts.severalLists({ known }));
  return only;
}
