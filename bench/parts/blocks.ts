import type { Page } from 'playwright';

/** A period of more than 50 ms in which the page did not respond, in ms by the page's clock. */
export interface Block {
  readonly startMs: number;
  readonly endMs: number;
}

/** Records the page's long tasks from now on. @returns a function that returns those so far */
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
    // Long tasks are reported after they have ended.
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 100)));
    return noted.jsonValue();
  };
}
