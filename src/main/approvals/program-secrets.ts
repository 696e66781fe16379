import { randomUUID } from 'node:crypto';
import type { Handlers, Input } from '../../shared/contract.ts';
import type { ObjectRecord } from '../../shared/domain/object.ts';
import { versionMeant } from '../../shared/domain/versions.ts';
import { toAppError, AppFailure } from '../../shared/app-failure.ts';
import { isSigned, markOf } from '../agent/process-mark.ts';
import { sealValue } from '../agent/sealed-value.ts';
import type { Asks } from '../host.ts';
import type { Catalogue } from '../objects/catalogue.ts';
import type { Connections } from '../connections/connections.ts';
import type { Secrets } from '../secrets/secrets.ts';
import type { Approvals } from './approvals.ts';
import { identify } from './caller.ts';

/** The oldest are dropped: a command uses its ticket at once. */
const maxTickets = 1000;

type Name = 'introduce' | 'readSecrets' | 'copySecret' | 'withdraw';
/** `row` null: not in the list. */
interface Found {
  readonly identifier: string;
  readonly row: ObjectRecord | null;
}

/** `key` null: the values are copied to the clipboard. */
type Request = Pick<
  Input<'command.readSecrets'>,
  'ticket' | 'signed' | 'statedIdentity' | 'serviceId' | 'secrets'
> & {
  readonly key: string | null;
};

/** Serves the values of secrets to commands, which pass them to programs. */
export function createProgramSecrets(deps: {
  asks: Asks;
  commandFiles: readonly string[];
  catalogue: Pick<Catalogue, 'versions' | 'add' | 'remove'>;
  connections: Pick<Connections, 'factsOf'>;
  secrets: Pick<Secrets, 'give' | 'copy'>;
  approvals: Pick<Approvals, 'require'>;
}): Pick<Handlers, `command.${Name}`> {
  const { asks, commandFiles, catalogue, connections, secrets, approvals } = deps;
  /** Not used yet. Each is known to one connection only, and valid once. */
  const tickets = new Set<string>();
  const asking = new Map<string, AbortController>();

  /** Programs keep using the name without a number when a secret is renewed. */
  async function newestOf(serviceId: string, identifier: string): Promise<Found> {
    const { base, versions } = await catalogue.versions(serviceId, 'secret', identifier);
    const records = versions.map(({ record }) => record);
    const row = versionMeant(identifier, base, records);
    return { identifier: row?.identifier ?? identifier, row: row ?? null };
  }

  /** The row for each identifier, once the person has approved. */
  async function approved(request: Request, withdrawn: AbortSignal): Promise<Map<string, Found>> {
    const { ticket, key, signed, statedIdentity, serviceId, secrets: wanted } = request;
    await connections.factsOf(serviceId);
    if (!tickets.delete(ticket) || !isSigned(request, signed))
      throw new AppFailure({ code: 'approvalRefused', reason: 'unproven' });
    const mark = process.platform === 'linux' ? markOf(signed.signer) : null;
    const caller = asks === 'window' ? identify(statedIdentity, mark, commandFiles) : null;
    const found = new Map<string, Found>();
    for (const { identifier } of wanted)
      if (!found.has(identifier)) found.set(identifier, await newestOf(serviceId, identifier));
    if (!caller) return found;
    const asked = wanted.map(({ name, identifier: given }) => {
      const { identifier = given, row } = found.get(given) ?? {};
      return { name, identifier, objectId: row?.id ?? null, classification: row?.classification ?? null };
    });
    await approvals.require({ caller, serviceId, secrets: asked, isCopy: key === null }, withdrawn);
    return found;
  }

  /** Does the work of a request until the command withdraws it. */
  async function unlessWithdrawn<T>(
    ticket: string,
    work: (withdrawn: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const withdrawn = new AbortController();
    asking.set(ticket, withdrawn);
    try {
      return await work(withdrawn.signal);
    } finally {
      asking.delete(ticket);
    }
  }

  /** Adds a missing identifier to the list, and removes it again if the service does not have it. */
  async function withRow<T>(
    serviceId: string,
    { identifier, row }: Found,
    work: (id: number) => Promise<T>,
  ): Promise<T> {
    if (row) return work(row.id);
    const [one] = await catalogue.add(serviceId, [
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
    'command.introduce': () => {
      const ticket = randomUUID();
      tickets.add(ticket);
      for (const oldest of tickets) if (tickets.size > maxTickets) tickets.delete(oldest);
      return { asks, ticket };
    },
    'command.readSecrets': ({ absentMs = 0, ...request }) =>
      unlessWithdrawn(request.ticket, async (signal) => {
        const { serviceId, key, secrets: wanted } = request;
        const found = await approved(request, signal);
        const readOne = async (one: Found) => {
          try {
            const seal = (bytes: Uint8Array) => sealValue(bytes, key);
            const sealed = await withRow(serviceId, one, (id) =>
              secrets.give(id, seal, { absentMs, signal }),
            );
            return { sealed };
          } catch (cause) {
            const error = toAppError(cause);
            if (!error) throw cause;
            return { error };
          }
        };
        const reading = new Map([...found].map(([identifier, one]) => [identifier, readOne(one)]));
        const values = wanted.map(async ({ identifier }): ReturnType<typeof readOne> => {
          return (await reading.get(identifier)) ?? { error: { code: 'notFound', what: 'object' } };
        });
        return { values: await Promise.all(values) };
      }),
    'command.copySecret': ({ identifier, absentMs = 0, ...request }) =>
      unlessWithdrawn(request.ticket, async (signal) => {
        const secret = { name: identifier, identifier };
        const [one] = (await approved({ ...request, key: null, secrets: [secret] }, signal)).values();
        if (!one) throw new AppFailure({ code: 'notFound', what: 'object' });
        const { clearsAtMs } = await withRow(request.serviceId, one, (id) =>
          secrets.copy(id, { absentMs, signal }),
        );
        return { clearsAtMs };
      }),
    'command.withdraw': ({ ticket }) => {
      asking.get(ticket)?.abort();
      return undefined;
    },
  };
}
