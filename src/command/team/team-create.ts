import type { Run } from '../context.ts';
import { exitCodes } from '../errors/exit-code.ts';
import { readAccess, requireStored, sayInvitation } from './team.ts';
import { teamTexts as texts } from './team-texts.ts';

export interface CreateOptions {
  readonly server: string;
  readonly port?: number;
  readonly database: string;
  readonly role: string;
  readonly ca?: string;
  readonly clientCertificate?: string;
  readonly passphraseFile?: string;
  readonly list: string;
  readonly curator: string;
  readonly name?: string;
  readonly roles: boolean;
  readonly curatorMayTakeOverServer?: true;
}

/** `coffer team create`: prints the invitation with which the curator joins, here or on another computer. */
export function create(options: CreateOptions): Run {
  return async (context) => {
    requireStored(context);
    const { coffer } = context;
    const { curator: role, name = role, list: listName } = options;
    const makesRoles = rolesOf(options);
    const { id: serviceId } = await context.service();
    const access = await readAccess(context, options);
    const { lists, rolesReach } = await coffer.call('team.inspectToCreate', { access });
    const there = lists.find((each) => each.name === listName);
    const made = await coffer.call('team.create', {
      access,
      list: there ? { kind: 'there', listId: there.id } : { kind: 'new', name: listName, serviceId },
      curator: { role, shown: name, makesRoles },
    });
    sayInvitation(context, name, made);
    const isMade = made.hasPassword && made.isRenewed !== true;
    if (isMade && makesRoles === 'own' && rolesReach === 'all')
      context.output.say(texts.madeWithoutRoles({ name }));
    return exitCodes.done;
  };
}

function rolesOf({ roles, curatorMayTakeOverServer }: CreateOptions) {
  if (!roles) return 'no';
  return curatorMayTakeOverServer ? 'all' : 'own';
}
