import type { Handlers, Input, Output } from '../../shared/contract.ts';
import type { ObjectRecord } from '../../shared/domain/object.ts';
import { AppFailure, toAppError } from '../../shared/errors.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { Connections } from '../profiles/connections.ts';
import type { Secrets } from '../secrets/secrets.ts';
import type { Approvals } from './approvals.ts';
import { identify } from './caller.ts';
import { createTickets } from './tickets.ts';

/** Who asks the person: the window; the command on its own terminal; nobody, since the command brought the token itself. */
export type Asks = Output<'command.introduce'>['asks'];

type Name = 'introduce' | 'readSecrets' | 'copySecret' | 'withdraw';
type Request = Pick<Input<'command.readSecrets'>, 'ticket' | 'claim' | 'profileId' | 'secrets'>;

/** Values of secrets for commands, which give them to programs. */
export function createProgramSecrets(deps: {
  asks: Asks;
  userDataFolder: string;
  catalogue: Pick<Catalogue, 'findByIdentifiers' | 'add' | 'remove'>;
  connections: Pick<Connections, 'factsOf'>;
  secrets: Pick<Secrets, 'give' | 'copy'>;
  approvals: Pick<Approvals, 'require'>;
}): Pick<Handlers, `command.${Name}`> {
  const { asks, userDataFolder, catalogue, connections, secrets, approvals } = deps;
  const tickets = createTickets(userDataFolder, asks === 'window' && process.platform === 'linux');
  const asking = new Map<string, AbortController>();

  /** The rows of the list, by identifier, when the program may have what they stand for. */
  async function approved(request: Request, isCopy: boolean): Promise<Map<string, ObjectRecord>> {
    const { ticket, claim, profileId, secrets: wanted } = request;
    await connections.factsOf(profileId);
    const caller = tickets.use(ticket, (proof) => (asks === 'window' ? identify(claim, proof) : null));
    const identifiers = [...new Set(wanted.map(({ identifier }) => identifier))];
    const rows = await catalogue.findByIdentifiers(profileId, 'secret', identifiers);
    if (!caller) return rows;
    const withdrawn = new AbortController();
    asking.set(ticket, withdrawn);
    try {
      const asked = wanted.map(({ name, identifier }) => {
        const row = rows.get(identifier);
        return { name, identifier, objectId: row?.id ?? null, classification: row?.classification ?? null };
      });
      await approvals.require({ caller, profileId, secrets: asked, isCopy }, withdrawn.signal);
    } finally {
      asking.delete(ticket);
    }
    return rows;
  }

  /** What is not on the list is put there, and taken off again when the service does not have it. */
  async function withRow<T>(
    profileId: string,
    identifier: string,
    known: ObjectRecord | undefined,
    work: (id: number) => Promise<T>,
  ): Promise<T> {
    if (known) return work(known.id);
    const [one] = await catalogue.add(profileId, [
      { kind: 'secret', identifier, patch: { state: 'unknown' }, history: { action: 'added' } },
    ]);
    if (!one) throw new AppFailure({ code: 'notFound', what: 'object' });
    try {
      return await work(one.record.id);
    } catch (cause) {
      if (one.added && toAppError(cause)?.code === 'missing') await catalogue.remove([one.record.id]);
      throw cause;
    }
  }

  return {
    'command.introduce': () => ({ asks, ...tickets.issue() }),
    'command.readSecrets': async (request) => {
      const { profileId } = request;
      const rows = await approved(request, false);
      const read = new Map<string, ReturnType<typeof readOne>>();
      const readOne = async (identifier: string) => {
        try {
          const give = (id: number) => secrets.give(id, (bytes) => Buffer.from(bytes).toString('base64'));
          return { value: await withRow(profileId, identifier, rows.get(identifier), give) };
        } catch (cause) {
          const error = toAppError(cause);
          if (!error) throw cause;
          return { error };
        }
      };
      for (const { identifier } of request.secrets)
        if (!read.has(identifier)) read.set(identifier, readOne(identifier));
      const values = await Promise.all(
        request.secrets.map(({ identifier }) => read.get(identifier) ?? readOne(identifier)),
      );
      return { values };
    },
    'command.copySecret': async ({ identifier, ...request }) => {
      const secret = { name: identifier, identifier };
      const rows = await approved({ ...request, secrets: [secret] }, true);
      const { clearsAtMs } = await withRow(request.profileId, identifier, rows.get(identifier), secrets.copy);
      return { clearsAtMs };
    },
    'command.withdraw': ({ ticket }) => {
      asking.get(ticket)?.abort();
      return undefined;
    },
  };
}
