/**
 * How a request ended, as far as the limit learns from it. `lost`: no answer, or the service is out for a time that it names.
 * `unmeasured`: cancelled, or slowed by a limit of our own.
 */
export type Outcome = 'answered' | 'refused' | 'lost' | 'unmeasured';

/** The right of one request to be under way. */
export interface Permit {
  /** The request leaves. @param kind requests of one kind and about the same size are expected to take the same time */
  leave(kind: string): void;
  /** The answer has a body. */
  receive(bodyBytes: number): void;
  /** Its headers have come, or never will. */
  finish(outcome: Outcome): void;
  /** It is over, including the body of its answer. May be called more than once. */
  release(): void;
}

const firstRequests = 6;
/** Whoever has more than this to send may offer them all at once: the gate decides when each goes. */
export const mostRequests = 64;
/** Slow answers alone never bring the limit lower; refusals do. */
const leastRequests = 4;
const mostBytes = 64 * 1024 * 1024;
const leastBytes = 8 * 1024 * 1024;
/** A body of this size takes long by itself, and slows down everything beside it. */
const largeBodyBytes = 1024 * 1024;
export const isLarge = (bodyBytes: number) => bodyBytes > largeBodyBytes;
/** Delays of our own event loop and of the service that are not worth a reaction. */
const slackMs = 20;
/** Ratios of the median latency to the lowest: below the first the limit grows, from the second on it shrinks. */
const growsBelow = 1.5;
const shrinksFrom = 2;
/** If a lower limit brings no more than this, the service itself has become slower. */
const sameLatency = 0.85;
/** The lowest latency is forgotten by this factor each second. */
const forgottenPerSecond = 1.005;
/** How long a number that was refused is not tried again. */
const ceilingMs = 60_000;
const rateCeilingMs = 30_000;
/** Connections that were idle for this long may be closed: the next requests wait for handshakes. */
const idleMs = 3_000;

interface Best {
  readonly ms: number;
  readonly atMs: number;
}

/**
 * How many requests to one service, and how many bytes, may be under way: learned from its answers. Doubles while answers
 * come as fast as before, shrinks when they become slow, and halves when requests are refused or lost. Decides in rounds of
 * as many answers as the limit. When our own large bodies fill the line, the bytes shrink, so that small requests go on.
 */
export class AdaptiveLimit {
  readonly #nowMs: () => number;
  #limit: number;
  #maxBytes = mostBytes;
  #isSlowStart = true;
  /** The most that may be tried until `#ceilingUntilMs`, as one more was refused. */
  #ceiling = mostRequests;
  #ceilingUntilMs = -Infinity;
  #reactedAtMs = -Infinity;
  /** Even the first of the last burst failed, which no other went beside: its number is not the reason. */
  #isOutage = false;
  /** So many at once were answered without a refusal. */
  #good = 1;
  /** Requests a second, for services that count them so; null: unlimited. */
  #rate: number | null = null;
  #rateCeiling = Infinity;
  #rateCeilingUntilMs = -Infinity;
  #paidUntilMs = -Infinity;
  /** Times of the answers of the last second, and some before. */
  #answersMs: number[] = [];
  readonly #best = new Map<string, Best>();
  #roundBegunMs: number;
  #answered = 0;
  #ratios: number[] = [];
  /** Most requests under way in this round. */
  #used = 0;
  /** Before the last round's reduction: the ratio that caused it, and the limit. */
  #reduced: { readonly ratio: number; readonly limit: number } | null = null;
  #underWay = 0;
  #large = 0;
  #bytes = 0;
  /** Connections that are probably open. */
  #open = 0;
  #idleSinceMs = -Infinity;

  /**
   * @param nowMs monotonic clock, ms
   * @param remembered `requests` of an earlier limit for the same service. Fewer than at the beginning say more about an outage.
   */
  constructor(nowMs: () => number, remembered = firstRequests) {
    this.#nowMs = nowMs;
    this.#roundBegunMs = nowMs();
    this.#limit = Math.min(Math.max(remembered, firstRequests), mostRequests);
  }

  /** Requests that may be under way at once. */
  get requests(): number {
    return Math.floor(this.#limit);
  }

  /** Bytes of bodies that may be under way at once. */
  get bytes(): number {
    return this.#maxBytes;
  }

  /** Milliseconds until the service's rate allows another request; 0: now. */
  waitMs(): number {
    return this.#rate === null ? 0 : Math.max(this.#paidUntilMs - this.#nowMs(), 0);
  }

  /**
   * Whether another request may leave. One small request always may beside large bodies, whose end can be hours away, and one
   * large body beside others.
   * @param bodyBytes of the request or, for a download, of the answer as far as it is known
   * @param most a limit of the user's
   * @param ahead others that will leave before it
   */
  hasRoom(bodyBytes: number, most = mostRequests, ahead = { small: 0, large: 0 }): boolean {
    const limit = Math.min(this.requests, most);
    if (this.waitMs() > 0) return false;
    const underWay = this.#underWay + ahead.small;
    if (!isLarge(bodyBytes)) return underWay < limit || underWay === this.#large;
    const large = this.#large + ahead.large;
    if (underWay + ahead.large >= limit) return false;
    return large === 0 || (large < limit - 1 && this.#bytes < this.#maxBytes);
  }

  /** Takes a permit, whether there is room or not. */
  take(bodyBytes: number): Permit {
    const takenMs = this.#nowMs();
    if (this.#underWay === 0 && takenMs - this.#idleSinceMs > idleMs) this.#open = 0;
    this.#underWay += 1;
    this.#used = Math.max(this.#used, this.#underWay);
    let heldBytes = 0;
    const hold = (bytes: number, sign = 1) => {
      this.#bytes += sign * bytes;
      if (isLarge(bytes)) this.#large += sign;
    };
    const receive = (bytes: number) => {
      hold(heldBytes, -1);
      heldBytes = Math.max(heldBytes, bytes);
      hold(heldBytes);
    };
    receive(bodyBytes);
    if (this.#rate !== null) this.#paidUntilMs = Math.max(this.#paidUntilMs, takenMs) + 1000 / this.#rate;
    let [isHeld, isOut, connects] = [true, false, false];
    let [key, begunMs, atOnce] = ['', 0, 0];
    const leave = (kind: string) => {
      isOut = true;
      begunMs = this.#nowMs();
      // The first request of a connection waits for its handshakes.
      connects = this.#underWay > this.#open;
      if (connects) this.#open = this.#underWay;
      atOnce = this.#underWay;
      key = bodyBytes > 65_536 ? `${kind} ${Math.round(Math.log2(bodyBytes))}` : kind;
    };
    const finish = (outcome: Outcome) => {
      if (!isOut) return;
      isOut = false;
      if (outcome === 'refused' || outcome === 'lost') this.#reduce(outcome, begunMs, atOnce);
      if (outcome !== 'answered') return;
      const endMs = this.#nowMs();
      this.#answersMs.push(endMs);
      // Once a second at most: to look through them at each answer costs more than to keep them.
      if ((this.#answersMs[0] ?? endMs) < endMs - 2000) this.#forgetAnswers(endMs);
      if (!connects) this.#measure(key, begunMs, endMs);
      this.#countAnswer(begunMs, endMs);
    };
    const release = () => {
      if (!isHeld) return;
      isHeld = false;
      this.#underWay -= 1;
      hold(heldBytes, -1);
      this.#idleSinceMs = this.#nowMs();
    };
    return { leave, receive, finish, release };
  }

  #measure(key: string, begunMs: number, endMs: number): void {
    const elapsedMs = endMs - begunMs;
    const best = this.#best.get(key);
    const bestMs = best ? best.ms * forgottenPerSecond ** ((endMs - best.atMs) / 1000) : Infinity;
    if (elapsedMs < bestMs) this.#best.set(key, { ms: elapsedMs, atMs: endMs });
    if (begunMs >= this.#roundBegunMs)
      this.#ratios.push((elapsedMs + slackMs) / (Math.min(bestMs, elapsedMs) + slackMs));
  }

  /** The first answers of connections count, too: what they take is not known, but that they came. */
  #countAnswer(begunMs: number, endMs: number): void {
    // What left under another limit says nothing about this one.
    if (begunMs < this.#roundBegunMs) return;
    this.#answered += 1;
    if (this.#answered >= Math.max(leastRequests, this.#limit)) this.#decide(endMs);
  }

  #decide(nowMs: number): void {
    const measured = this.#ratios.length >= leastRequests ? this.#ratios.toSorted((a, b) => a - b) : [];
    const ratio = measured[measured.length >> 1] ?? 1;
    const isNeeded = this.#used >= this.#limit * 0.8;
    if (this.#reactedAtMs < this.#roundBegunMs) this.#good = Math.max(this.#good, this.#used);
    this.#beginRound(nowMs);
    if (this.#rate !== null) this.#raiseRate(this.#rate, nowMs);
    const reduced = this.#reduced;
    this.#reduced = null;
    if (reduced && ratio > reduced.ratio * sameLatency) {
      // Not our requests, but the service or the line has become slower.
      for (const [key, { ms }] of this.#best) this.#best.set(key, { ms: ms * ratio, atMs: nowMs });
      this.#limit = Math.min(reduced.limit, this.#currentCeiling(nowMs));
    } else if (this.#large > 0) {
      if (ratio >= shrinksFrom) this.#maxBytes = Math.max(leastBytes, this.#maxBytes * 0.7);
      else if (ratio < growsBelow) this.#maxBytes = Math.min(mostBytes, this.#maxBytes * 1.3);
      if (isNeeded) this.#grow(nowMs);
    } else if (ratio >= shrinksFrom) {
      this.#reduced = { ratio, limit: this.#limit };
      this.#isSlowStart = false;
      this.#limit = Math.max(Math.min(leastRequests, this.#limit), this.#limit * 0.7);
    } else if (ratio < growsBelow && isNeeded) {
      this.#grow(nowMs);
    }
  }

  #grow(nowMs: number): void {
    const grown = this.#isSlowStart ? this.#limit * 2 : this.#limit + Math.max(1, Math.sqrt(this.#limit) / 2);
    this.#limit = Math.min(grown, Math.max(this.#limit, this.#currentCeiling(nowMs)), mostRequests);
  }

  #currentCeiling(nowMs: number): number {
    return nowMs < this.#ceilingUntilMs ? this.#ceiling : mostRequests;
  }

  #beginRound(nowMs: number): void {
    this.#roundBegunMs = nowMs;
    this.#answered = 0;
    this.#ratios = [];
    this.#used = this.#underWay;
  }

  /** @param atOnce requests under way when the one that failed left, itself included */
  #reduce(outcome: 'refused' | 'lost', begunMs: number, atOnce: number): void {
    const nowMs = this.#nowMs();
    // What left before the last reaction belongs to the same burst.
    const isSameBurst = begunMs <= this.#reactedAtMs;
    if (!isSameBurst) {
      this.#forgetAnswers(nowMs);
      // A service that counts those at once may refuse some of a number that it has answered before, but hardly of half of it.
      const isUsual = atOnce * 2 <= this.#good && this.#answersMs.length >= leastRequests;
      const countsBySecond = outcome === 'refused' && (this.#rate !== null || isUsual);
      this.#reactedAtMs = nowMs;
      this.#isSlowStart = false;
      this.#reduced = null;
      this.#beginRound(nowMs);
      if (countsBySecond) return this.#lowerRate(nowMs);
      this.#ceiling = mostRequests;
      this.#isOutage = false;
      if (atOnce > 1) this.#limit = Math.max(1, this.#limit / 2);
    } else if (this.#rate !== null) {
      return;
    }
    // An outage names no number.
    if (outcome === 'lost') return;
    if (atOnce === 1) this.#isOutage = true;
    this.#ceiling = this.#isOutage ? mostRequests : Math.min(this.#ceiling, atOnce - 1);
    this.#ceilingUntilMs = nowMs + ceilingMs;
    this.#limit = Math.min(this.#limit, this.#ceiling);
  }

  #forgetAnswers(nowMs: number): void {
    this.#answersMs = this.#answersMs.filter((atMs) => atMs > nowMs - 1000);
  }

  /** As many at once were answered before: the service counts requests by the second. */
  #lowerRate(nowMs: number): void {
    if (this.#rate === null) {
      this.#rate = this.#answersMs.length * 0.9;
    } else {
      this.#rateCeiling = this.#rate * 0.95;
      this.#rateCeilingUntilMs = nowMs + rateCeilingMs;
      this.#rate = Math.max(0.5, this.#rate * 0.85);
    }
    // Its present second is full.
    this.#paidUntilMs = Math.max(this.#paidUntilMs, (this.#answersMs[0] ?? nowMs) + 1000);
  }

  #raiseRate(rate: number, nowMs: number): void {
    const most = nowMs < this.#rateCeilingUntilMs ? this.#rateCeiling : Infinity;
    this.#rate = Math.max(rate, Math.min(rate * 1.02, most));
  }
}
