import fc from 'fast-check';

/**
 * Runs fewer examples of a property on a busy machine. An example that has started is completed: fast-check's own limit abandons it, so
 * that it runs beside the rest of the test and its result is ignored.
 */
export function fewerExamples(limitMs: number, nowMs = () => performance.now()): fc.Plugin<unknown> {
  return () => {
    const endMs = nowMs() + limitMs;
    return {
      decorateRun: (run) => (value) => (nowMs() < endMs ? run(value) : new fc.PreconditionFailure(true)),
    };
  };
}
