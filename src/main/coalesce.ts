/** Joins many requests into one run every `everyMs`, the last request included. */
export function coalesce(run: () => void, everyMs = 100): { request(): void; cancel(): void } {
  let timer: NodeJS.Timeout | undefined;
  return {
    request() {
      timer ??= setTimeout(() => {
        timer = undefined;
        run();
      }, everyMs);
    },
    cancel() {
      clearTimeout(timer);
      timer = undefined;
    },
  };
}
