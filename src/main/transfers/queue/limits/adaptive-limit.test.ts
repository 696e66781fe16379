import { expect, it } from 'vitest';
import { AdaptiveLimit } from './adaptive-limit.ts';

interface Line {
  /** Round trip and processing of a request without load, ms. */
  readonly latencyMs: (atMs: number) => number;
  /** Requests that the service works on at once; the others queue there. */
  readonly workers?: number;
  /** Shared by all bodies in turn. */
  readonly bytesPerSecond?: number;
  /** Refuses (429) what exceeds one of these. */
  readonly mostAtOnce?: number;
  readonly mostPerSecond?: number;
}

interface Outcome {
  readonly answered: number;
  readonly refused: number;
  readonly tookMs: number;
  readonly limit: AdaptiveLimit;
  /** Median over the second half, ms. */
  readonly latencyMs: number;
}

/** Sends `count` requests through the limit to a service, in virtual time, again if refused. */
function run(line: Line, count: number, sizes: readonly number[] = [8000]): Outcome {
  let nowMs = 0;
  const limit = new AdaptiveLimit(() => nowMs);
  const events: { readonly atMs: number; readonly run: () => void }[] = [];
  const waiting = Array.from({ length: count }, (_, index) => sizes[index % sizes.length] ?? 0);
  let [answered, refused] = [0, 0];
  let inService = 0;
  let busyUntilMs = Array.from({ length: line.workers ?? 0 }, () => 0);
  let lineFreeMs = 0;
  let accepted: number[] = [];
  const latencies: number[] = [];

  function at(atMs: number, callback: () => void): void {
    const index = events.findIndex((event) => event.atMs > atMs);
    events.splice(index < 0 ? events.length : index, 0, { atMs, run: callback });
  }

  function end(): number | null {
    accepted = accepted.filter((atMs) => atMs > nowMs - 1000);
    if (inService >= (line.mostAtOnce ?? Infinity)) return null;
    if (accepted.length >= (line.mostPerSecond ?? Infinity)) return null;
    accepted.push(nowMs);
    let workMs = 0;
    if (busyUntilMs.length > 0) {
      busyUntilMs = busyUntilMs.toSorted((a, b) => a - b);
      const beginMs = Math.max(busyUntilMs[0] ?? 0, nowMs);
      busyUntilMs[0] = beginMs + 20;
      workMs = busyUntilMs[0] - nowMs;
    }
    return workMs;
  }

  function send(size: number): void {
    const latencyMs = line.latencyMs(nowMs);
    const begunMs = nowMs;
    const permit = limit.take(size);
    permit.leave('POST');
    if (line.bytesPerSecond) lineFreeMs = Math.max(lineFreeMs, nowMs) + (size / line.bytesPerSecond) * 1000;
    const arrivesMs = Math.max(nowMs, lineFreeMs) + latencyMs / 2;
    at(arrivesMs, () => {
      const workMs = end();
      if (workMs !== null) inService += 1;
      at(nowMs + (workMs ?? 0) + latencyMs / 2, () => {
        if (workMs === null) {
          refused += 1;
          waiting.push(size);
        } else {
          inService -= 1;
          answered += 1;
          if (answered > count / 2) latencies.push(nowMs - begunMs);
        }
        permit.finish(workMs === null ? 'refused' : 'answered');
        permit.release();
      });
    });
  }

  for (;;) {
    for (let index = 0; index >= 0;) {
      index = waiting.findIndex((size) => limit.hasRoom(size));
      if (index >= 0) send(waiting.splice(index, 1)[0] ?? 0);
    }
    const [next] = events;
    const waitMs = waiting.length > 0 ? limit.waitMs() : 0;
    if (!next && waitMs === 0) break;
    if (waitMs > 0 && (!next || next.atMs > nowMs + waitMs)) {
      nowMs += waitMs + 0.001;
    } else if (next) {
      events.shift();
      nowMs = next.atMs;
      next.run();
    }
  }
  const median = latencies.toSorted((a, b) => a - b)[latencies.length >> 1] ?? 0;
  return { answered, refused, tookMs: nowMs, limit, latencyMs: median };
}

const constant = (ms: number) => () => ms;

it.each([1, 20, 50, 150, 600])('sends 64 at once to a service that answers in %d ms', (ms) => {
  const { limit, tookMs } = run({ latencyMs: constant(ms) }, 1500);
  expect(limit.requests).toBe(64);
  // 6, 12, 24, 48, then 64 at once.
  expect(tookMs).toBeLessThan((1500 / 64 + 5) * ms);
});

it('keeps below what is refused', () => {
  const { limit, refused, tookMs } = run({ latencyMs: constant(50), mostAtOnce: 10 }, 1500);
  expect(refused).toBeLessThanOrEqual(5);
  expect(limit.requests).toBe(10);
  expect(tookMs).toBeLessThan((1500 / 10) * 50 * 1.2);
});

it('learns how many requests a second are answered', () => {
  const { refused, tookMs } = run({ latencyMs: constant(50), mostPerSecond: 20 }, 600);
  expect(refused).toBeLessThan(600 * 0.15);
  expect(tookMs).toBeLessThan((600 / 20) * 1000 * 1.25);
});

it('sends no more than a busy service works on, and keeps it busy', () => {
  const { limit, tookMs, latencyMs } = run({ latencyMs: constant(10), workers: 8 }, 3000);
  expect(limit.requests).toBeLessThanOrEqual(24);
  expect(latencyMs).toBeLessThan(100);
  expect(tookMs).toBeLessThan(((3000 * 20) / 8) * 1.1);
});

it('goes on as before when the service itself becomes slower, or faster again', () => {
  const { limit, tookMs } = run({ latencyMs: (atMs) => (atMs > 1000 && atMs < 20_000 ? 400 : 20) }, 6000);
  expect(limit.requests).toBeGreaterThan(32);
  expect(tookMs).toBeLessThan(25_000);
});

it('fills a line of 1 Mbit, and queues no more than a second on it', () => {
  const { tookMs, latencyMs } = run({ latencyMs: constant(40), bytesPerSecond: 125_000 }, 600);
  expect(tookMs).toBeLessThan((600 * 8000) / 125 + 2000);
  expect(latencyMs).toBeLessThan(1000);
});

it('keeps 64 at once on the way by satellite', () => {
  const { tookMs } = run({ latencyMs: constant(600), bytesPerSecond: 1_250_000 }, 3000);
  expect(tookMs).toBeLessThan((3000 / 64 + 12) * 600);
});

it('reduces the bytes under way beside large files, not the number of requests', () => {
  const sizes = [4_000_000, ...Array.from({ length: 19 }, () => 8000)];
  const { limit } = run({ latencyMs: constant(50), bytesPerSecond: 5_000_000 }, 2000, sizes);
  expect(limit.bytes).toBe(8 * 1024 * 1024);
  expect(limit.requests).toBeGreaterThan(32);
});

/** Sends several at once, after the answers of those before, which take 50 ms. */
function createBursts(remembered?: number) {
  let nowMs = 0;
  const limit = new AdaptiveLimit(() => nowMs, remembered);
  const send = (count: number, outcome: 'answered' | 'refused' | 'lost') => {
    const permits = Array.from({ length: count }, () => limit.take(8000));
    nowMs += 1;
    for (const permit of permits) permit.leave('POST');
    nowMs += 50;
    for (const permit of permits) {
      permit.finish(outcome);
      permit.release();
    }
  };
  return { limit, send };
}

it.each(['refused', 'lost'] as const)('does not take an outage for too many requests: %s', (failed) => {
  const { limit, send } = createBursts(32);
  send(32, failed);
  expect(limit.requests).toBe(16);
  for (let probe = 1; probe <= 5; probe += 1) send(1, failed);
  expect(limit.requests).toBe(16);
  for (let round = 1; round <= 20; round += 1) send(limit.requests, 'answered');
  expect(limit.requests).toBeGreaterThan(32);
});

it('takes a refusal of half of what was answered for a limit by the second, not one of as many', () => {
  const { limit, send } = createBursts();
  send(6, 'answered');
  send(12, 'answered');
  send(12, 'refused');
  expect([limit.requests, limit.waitMs()]).toEqual([11, 0]);
  send(6, 'refused');
  expect(limit.waitMs()).toBeGreaterThan(0);
});

it('begins with what it has learned before', () => {
  expect(new AdaptiveLimit(() => 0, 40).requests).toBe(40);
});
