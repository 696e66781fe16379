import { randomUUID } from 'node:crypto';
import { idleMs, longestMs, type Approval } from '../../shared/domain/approval.ts';

/**
 * Wall time can jump, and monotonic time may stand still while the computer sleeps: the one that advanced further
 * counts.
 */
export interface Moment {
  readonly wallMs: number;
  readonly monotonicMs: number;
}

/** Who can hold an approval: a terminal, or a program that starts commands. A `key` is never reused. */
export interface Holder extends Pick<Approval, 'terminal' | 'startedBy'> {
  readonly key: string;
  /** false: only this command has the key, so an approval would serve no other. */
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

/** Current approvals: which terminal or program gets which secrets without asking. All times are passed in. */
export class ApprovalBook {
  #all: Held[] = [];

  /** Whether all of these are approved. Counts as a use, which extends the approval. */
  use(holder: Holder, serviceId: string, identifiers: readonly string[], now: Moment): boolean {
    const held = this.#find(holder, serviceId, now);
    if (!held || !identifiers.every((identifier) => held.identifiers.has(identifier))) return false;
    held.usedAt = now;
    return true;
  }

  /** Approves secrets, within the holder's approval if there is one. Counts as a use; the twelve hours run from the first. */
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

  /** Newest first. */
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

/** By the clock that advanced further. */
export function passedMs(since: Moment, now: Moment): number {
  return Math.max(now.wallMs - since.wallMs, now.monotonicMs - since.monotonicMs);
}
