import type { AppError } from '../../../src/shared/errors.ts';
import { settingsDefault, type Settings } from '../../../src/shared/domain/settings.ts';
import { createRandom } from '../../random.ts';

/** How many requests a service takes; it refuses the others. */
export interface ServiceLimit {
  /** `perSecond`: in any second. A request counts until the body of its answer has ended or is closed. */
  readonly counts: 'atOnce' | 'perSecond';
  readonly most: number;
  readonly refusal: AppError;
}

/** The lowest limits of a world: a refused request starts its attempt over, and several people hinder each other. */
const leastAtOnce = 2;
const leastPerSecond = 8;

/**
 * The limit of the service in the world of a seed; null, in every second one: it takes all requests. Independent of the world's own
 * generator, so that the events of a seed are the same with and without it.
 */
export function limitOfSeed(seed: number): ServiceLimit | null {
  const random = createRandom(seed ^ 0x7f4a7c15);
  const between = (least: number, most: number) => least + Math.floor(random() * (most - least + 1));
  if (random() < 0.5) return null;
  if (random() < 0.5)
    return { counts: 'perSecond', most: between(leastPerSecond, 40), refusal: tooMany(null) };
  const most = between(leastAtOnce, 12);
  const refusals = [tooMany(null), tooMany(between(1, 5) * 1000), unavailable];
  return { counts: 'atOnce', most, refusal: refusals[between(0, 2)] ?? unavailable };
}

const unavailable: AppError = { code: 'serverError', status: 503, retryAfterMs: null };

function tooMany(retryAfterMs: number | null): AppError {
  return { code: 'tooManyRequests', status: 429, retryAfterMs };
}

/** How long the service takes at least for an answer, in ms: in no time no two requests are under way at once. */
export function leastAnswerMs(limit: ServiceLimit | null): number {
  return limit?.counts === 'atOnce' ? 20 : 0;
}

/** The settings of people whose service has this limit: what one attempt sends at once or within a second has to fit, see above. */
export function settingsUnder(limit: ServiceLimit | null): Settings & { transfersAtOnce: number } {
  const settings = { ...settingsDefault, transfersAtOnce: 3 };
  if (limit === null) return settings;
  return { ...settings, versionReach: Math.min(settings.versionReach, limit.most) };
}

export function describeLimit(limit: ServiceLimit | null): string {
  if (limit === null) return 'takes all requests';
  const { counts, most, refusal } = limit;
  const status = 'status' in refusal ? refusal.status : refusal.code;
  const retryAfterMs = 'retryAfterMs' in refusal ? refusal.retryAfterMs : null;
  const after = retryAfterMs === null ? '' : `, Retry-After ${retryAfterMs / 1000}`;
  return `takes ${most} requests ${counts === 'atOnce' ? 'at once' : 'a second'}, then answers ${status}${after}`;
}

/** Counts the requests to a service against its limit. */
export class RequestCount {
  readonly #nowMs: () => number;
  readonly #underWay = new Set<{ isAlive: () => boolean }>();
  /** Times of the requests taken in the last second. */
  #takenMs: number[] = [];

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /**
   * Takes or refuses a request.
   * @param isAlive whether the process that sent it still runs: the connections of a killed one are closed
   * @returns `end` must be called when the request is over, refused or not
   */
  take(limit: ServiceLimit | null, isAlive: () => boolean): { refusal: AppError | null; end: () => void } {
    const request = { isAlive };
    if (limit !== null && this.#count(limit.counts) >= limit.most)
      return { refusal: limit.refusal, end: () => undefined };
    this.#underWay.add(request);
    this.#takenMs.push(this.#nowMs());
    return { refusal: null, end: () => this.#underWay.delete(request) };
  }

  #count(counts: ServiceLimit['counts']): number {
    for (const request of this.#underWay) if (!request.isAlive()) this.#underWay.delete(request);
    const sinceMs = this.#nowMs() - 1000;
    this.#takenMs = this.#takenMs.filter((takenMs) => takenMs > sinceMs);
    return counts === 'atOnce' ? this.#underWay.size : this.#takenMs.length;
  }
}
