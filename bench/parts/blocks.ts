import type { Page } from 'playwright';

/** A time in which the page answered nothing, longer than 50 ms. By the page's clock, ms. */
export interface Block {
  readonly startMs: number;
  readonly endMs: number;
}

/** Notes the page's long tasks from now on. Answers a function that tells those so far. */
export async function watchBlocks(page: Page): Promise<() => Promise<Block[]>> {
  const noted = await page.evaluateHandle(() => {
    const blocks: { startMs: number; endMs: number }[] = [];
    const observer = new PerformanceObserver((list) => {
      for (const { startTime, duration } of list.getEntries())
        blocks.push({ startMs: startTime, endMs: startTime + duration });
    });
    observer.observe({ type: 'longtask' });
    return blocks;
  });
  return async () => {
    // The observer is told of a task after it has ended.
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 100)));
    return noted.jsonValue();
  };
}
