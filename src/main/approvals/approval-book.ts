import { randomUUID } from 'node:crypto';
import { idleMs, longestMs, type Approval } from '../../shared/domain/approval.ts';

/** Wall time jumps, and the other one may stand still while the computer sleeps: whichever went further counts. */
export interface Moment {
  readonly wallMs: number;
  readonly monotonicMs: number;
}

/** Who may hold an approval: a terminal, or a program that starts commands. Nobody else gets the same `key` later. */
export interface Holder extends Pick<Approval, 'terminal' | 'startedBy'> {
  readonly key: string;
  /** false: nobody else can ever have this key. */
  readonly isLasting: boolean;
}

interface Held {
  readonly id: string;
  readonly holder: Holder;
  readonly serviceId: string;
  readonly identifiers: Set<string>;
  readonly givenAt: Moment;
  usedAt: Moment;
}

/** What holds now: which terminal or program gets which secrets without a question. Decides by the moment that it is told. */
export class ApprovalBook {
  #all: Held[] = [];

  /** Whether all of these may be given. That is a use of the approval, which keeps it from ending. */
  use(holder: Holder, serviceId: string, identifiers: readonly string[], now: Moment): boolean {
    const held = this.#find(holder, serviceId, now);
    if (!held || !identifiers.every((identifier) => held.identifiers.has(identifier))) return false;
    held.usedAt = now;
    return true;
  }

  /** What a terminal has already is kept, and ends no later for it than it would have: twelve hours count from the first. */
  give(holder: Holder, serviceId: string, identifiers: readonly string[], now: Moment): void {
    const held = this.#find(holder, serviceId, now);
    if (held) {
      for (const identifier of identifiers) held.identifiers.add(identifier);
      held.usedAt = now;
      return;
    }
    const all = new Set(identifiers);
    this.#all.push({ id: randomUUID(), holder, serviceId, identifiers: all, givenAt: now, usedAt: now });
  }

  end(which: string): void {
    this.#all = this.#all.filter(({ id }) => which !== 'all' && id !== which);
  }

  endOf(serviceId: string): void {
    this.#all = this.#all.filter((held) => held.serviceId !== serviceId);
  }

  /** The newest first. */
  list(now: Moment): Approval[] {
    this.#all = this.#all.filter((held) => isLive(held, now));
    return this.#all.toReversed().map(({ id, holder, serviceId, identifiers, givenAt, usedAt }) => ({
      id,
      serviceId,
      terminal: holder.terminal,
      startedBy: holder.startedBy,
      identifiers: [...identifiers],
      givenAtMs: givenAt.wallMs,
      usedAtMs: usedAt.wallMs,
      endsAtMs: Math.min(usedAt.wallMs + idleMs, givenAt.wallMs + longestMs),
    }));
  }

  #find(holder: Holder, serviceId: string, now: Moment): Held | undefined {
    return this.#all.find(
      (held) => held.holder.key === holder.key && held.serviceId === serviceId && isLive(held, now),
    );
  }
}

function isLive({ givenAt, usedAt }: Held, now: Moment): boolean {
  return passedMs(usedAt, now) < idleMs && passedMs(givenAt, now) < longestMs;
}

function passedMs(since: Moment, now: Moment): number {
  return Math.max(now.wallMs - since.wallMs, now.monotonicMs - since.monotonicMs);
}
