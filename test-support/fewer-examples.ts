import fc from 'fast-check';

/**
 * A busy machine tries fewer examples of a property. One that has begun comes to its end: fast-check's own limit leaves it running beside
 * what its test does next, and ignores what it finds.
 */
export function fewerExamples(limitMs: number, nowMs = () => performance.now()): fc.Plugin<unknown> {
  return () => {
    const endMs = nowMs() + limitMs;
    return {
      decorateRun: (run) => (value) => (nowMs() < endMs ? run(value) : new fc.PreconditionFailure(true)),
    };
  };
}
