import { randomUUID } from 'node:crypto';
import type { Handlers } from '../../shared/contract.ts';
import {
  askMs,
  maxPending,
  refuseAllMs,
  type ApprovalAnswer,
  type Ask,
} from '../../shared/domain/approval.ts';
import { type AppErrorOf } from '../../shared/errors.ts';
import { AppFailure } from '../../shared/app-failure.ts';
import type { Clock, Publisher } from '../ports.ts';
import type { Host } from '../host.ts';
import { shortenHome } from '../local-files/shorten-home.ts';
import { ApprovalBook, passedMs, type Moment } from './approval-book.ts';
import type { Caller } from './caller.ts';

/** How often to check that the command still runs, in ms. */
const checkEveryMs = 1000;

type Reason = AppErrorOf<'approvalRefused'>['reason'];
/** How a request ended. */
type End = Exclude<ApprovalAnswer, 'refuseAll'> | Reason;

export interface Request extends Pick<Ask, 'serviceId' | 'secrets' | 'isCopy'> {
  readonly caller: Caller;
}

/** Decides whether programs get secrets while the app runs. */
export interface Approvals {
  readonly handlers: Pick<Handlers, `approvals.${'list' | 'answer' | 'end'}`>;
  /** Resolves when the program may have them. @throws AppFailure approvalRefused */
  require(request: Request, withdrawn: AbortSignal): Promise<void>;
  /** Whether locking the screen would end any approval. */
  holdsAny(): boolean;
  /** The screen was locked, or the computer goes to sleep: ends all approvals. */
  lock(): void;
  removeService(serviceId: string): void;
}

interface Refusal {
  readonly at: Moment;
  readonly count: number;
  readonly isAll: boolean;
}

interface Waiting {
  readonly ask: Ask;
  readonly caller: Caller;
  readonly resolve: (end: End) => void;
}

export function createApprovals(deps: {
  clock: Clock;
  publisher: Publisher;
  home: string;
  /** Called for each new request: the window may be behind others. */
  onAsked: (ask: Ask) => void;
}): Approvals {
  const { clock, publisher, home, onAsked } = deps;
  const book = new ApprovalBook();
  let waiting: Waiting[] = [];
  /** When the person last refused an asker, how often in a row, and whether everything. */
  const refusals = new Map<string, Refusal>();
  let revision = 0;

  const now = (): Moment => ({ wallMs: clock.nowMs(), monotonicMs: clock.monotonicMs() });

  function changed(): void {
    revision += 1;
    publisher.publish('approvals.changed', { revision });
  }

  function isCovered({ caller, ask }: Pick<Waiting, 'ask' | 'caller'>): boolean {
    const identifiers = ask.secrets.map(({ identifier }) => identifier);
    return book.use(caller.holder, ask.serviceId, identifiers, now());
  }

  function recentRefusal(asker: string): Refusal | undefined {
    for (const [key, { at }] of refusals) if (passedMs(at, now()) >= refuseAllMs) refusals.delete(key);
    return refusals.get(asker);
  }

  /** Refuses one request, or all pending ones of its asker. */
  function refuse(one: Waiting, isAll: boolean): void {
    const { asker } = one.ask;
    const count = (recentRefusal(asker)?.count ?? 0) + 1;
    refusals.set(asker, { at: now(), count, isAll });
    for (const other of waiting)
      if (other === one || (isAll && other.ask.asker === asker)) finish(other, 'refuse');
  }

  function finish(one: Waiting, end: End): void {
    waiting = waiting.filter((other) => other !== one);
    one.resolve(end);
    changed();
  }

  /** Refuses after a minute, or when the command has ended. */
  async function refuseInTime(one: Waiting): Promise<void> {
    const begunMs = clock.monotonicMs();
    while (waiting.includes(one)) {
      if (!one.caller.isThere()) finish(one, 'refuse');
      else if (clock.monotonicMs() - begunMs >= askMs || clock.nowMs() >= one.ask.refusedAtMs)
        finish(one, 'unanswered');
      else await clock.delay(checkEveryMs);
    }
  }

  async function ask(one: Pick<Waiting, 'ask' | 'caller'>, withdrawn: AbortSignal): Promise<End> {
    const { promise, resolve } = Promise.withResolvers<End>();
    const entry: Waiting = { ...one, resolve };
    const withdraw = () => finish(entry, 'refuse');
    waiting.push(entry);
    withdrawn.addEventListener('abort', withdraw);
    changed();
    onAsked(entry.ask);
    void refuseInTime(entry);
    try {
      return await promise;
    } finally {
      withdrawn.removeEventListener('abort', withdraw);
    }
  }

  return {
    handlers: {
      'approvals.list': () => ({ asks: waiting.map(({ ask }) => ask), approvals: book.list(now()) }),
      'approvals.answer': ({ id, answer }) => {
        const one = waiting.find((other) => other.ask.id === id);
        if (!one) return undefined;
        if (answer === 'refuse' || answer === 'refuseAll') {
          refuse(one, answer === 'refuseAll');
          return undefined;
        }
        const { caller, ask } = one;
        if (answer === 'holder' && caller.holder.isLasting) {
          const identifiers = ask.secrets.map(({ identifier }) => identifier);
          book.give(caller.holder, ask.serviceId, identifiers, now());
        }
        finish(one, answer);
        // The answer may cover other requests of the same terminal.
        for (const other of waiting) if (isCovered(other)) finish(other, 'holder');
        return undefined;
      },
      'approvals.end': ({ which }) => {
        book.end(which);
        changed();
        return undefined;
      },
    },
    async require({ caller, serviceId, secrets, isCopy }, withdrawn) {
      const { holder, words, program, folder, isProven } = caller;
      const asker = askerOf(caller);
      const refusal = recentRefusal(asker);
      const one = {
        caller,
        ask: {
          id: randomUUID(),
          asker,
          isAgain: refusal !== undefined && refusal.count > 1,
          serviceId,
          program: [...program],
          folder: shortenHome(folder, home),
          terminal: holder.terminal,
          startedBy: holder.startedBy,
          command: [...words],
          secrets: [...secrets],
          isCopy,
          isProven,
          isLasting: holder.isLasting,
          refusedAtMs: clock.nowMs() + askMs,
        },
      };
      if (isCovered(one)) return changed();
      if (refusal?.isAll === true) throw new AppFailure({ code: 'approvalRefused', reason: 'allRefused' });
      if (waiting.filter((other) => other.ask.asker === asker).length >= maxPending)
        throw new AppFailure({ code: 'approvalRefused', reason: 'tooMany' });
      const end = await ask(one, withdrawn);
      if (end === 'once' || end === 'holder') return;
      throw new AppFailure({ code: 'approvalRefused', reason: end === 'refuse' ? 'refused' : end });
    },
    holdsAny: () => waiting.length > 0 || book.list(now()).length > 0,
    lock() {
      book.end('all');
      for (const one of waiting) finish(one, 'locked');
      changed();
    },
    removeService(serviceId) {
      book.endOf(serviceId);
      for (const one of waiting) if (one.ask.serviceId === serviceId) finish(one, 'refuse');
      changed();
    },
  };
}

/**
 * Whose requests count together: a terminal's, or those of the program that starts commands. What a command only states
 * it can change with each request, and commands that nobody started any more can be started anew: they all count as one.
 */
function askerOf({ isProven, holder }: Caller): string {
  return isProven && holder.isLasting ? holder.key : 'unknown';
}

export function approvals(host: Host): Approvals {
  const own = createApprovals({
    ...host,
    home: host.paths.home,
    onAsked: (ask) => host.notifications.programAsks(ask),
  });
  host.onServiceRemoved((serviceId) => own.removeService(serviceId));
  return own;
}
