import type { Locator, Page } from 'playwright';

const dragOf = (paths: string[]) => ({ items: [], files: paths, dragOperationsMask: 1 });

async function middleOf(target: Locator): Promise<{ x: number; y: number }> {
  const box = await target.boundingBox();
  if (!box) throw new Error('nothing to drop on');
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/** Drags real files over `target`'s centre and holds them there. @returns cancels the drag */
export async function hoverFiles(page: Page, paths: string[], target: Locator): Promise<() => Promise<void>> {
  const place = await middleOf(target);
  const cdp = await page.context().newCDPSession(page);
  const data = dragOf(paths);
  for (const type of ['dragEnter', 'dragOver'] as const) {
    await cdp.send('Input.dispatchDragEvent', { type, ...place, data });
  }
  return async () => {
    await cdp.send('Input.dispatchDragEvent', { type: 'dragCancel', ...place, data });
    await cdp.detach();
  };
}

/**
 * Drops real files and folders on the page, as a file manager does, so that the page gets Files with paths. At the
 * centre of `target`, or of the window.
 */
export async function dropFiles(page: Page, paths: string[], target?: Locator): Promise<void> {
  const place = await middleOf(target ?? page.locator('body'));
  const cdp = await page.context().newCDPSession(page);
  const data = dragOf(paths);
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
    await cdp.send('Input.dispatchDragEvent', { type, ...place, data });
  }
  await cdp.detach();
}

/**
 * Answers the next file chooser with real files, or a folder. (Playwright's own `setFiles` copies small files into
 * memory when it is connected remotely, and such files have no path.) Resolves when it has been answered.
 */
export async function answerFileChooser(
  page: Page,
  paths: string[],
  open: () => Promise<unknown>,
): Promise<void> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Page.enable');
  await cdp.send('Page.setInterceptFileChooserDialog', { enabled: true });
  const opened = new Promise<number>((resolve) => {
    cdp.on('Page.fileChooserOpened', ({ backendNodeId = 0 }) => resolve(backendNodeId));
  });
  await open();
  await cdp.send('DOM.setFileInputFiles', { files: paths, backendNodeId: await opened });
  await cdp.detach();
}
