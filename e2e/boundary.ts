import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, type App } from './fixtures.ts';
import { CofferWindow } from './pages/coffer-window.ts';

type Coffer = { call: (name: string, input?: unknown) => Promise<{ value?: unknown }> };

/** Checks that the page has five functions of Coffer and nothing of Node or Electron, and other frames have none. */
export async function expectFewFunctions({ page }: App): Promise<void> {
  const found = await page.evaluate(() => ({
    coffer: Object.keys(Reflect.get(window, 'coffer') as Coffer).sort(),
    others: ['require', 'process', 'module', 'Buffer', 'electron', 'ipcRenderer'].filter(
      (name) => name in window,
    ),
    isFrozen: (() => {
      try {
        Reflect.set(window, 'coffer', null);
      } catch {
        return true;
      }
      return Reflect.get(window, 'coffer') !== null;
    })(),
  }));
  expect(found).toEqual({
    coffer: ['call', 'grantFiles', 'memoryBytes', 'on', 'startDrag'],
    others: [],
    isFrozen: true,
  });

  await page.evaluate(() => {
    for (const sandbox of ['allow-scripts', null]) {
      const frame = document.createElement('iframe');
      if (sandbox !== null) frame.setAttribute('sandbox', sandbox);
      document.body.append(frame);
    }
  });
  await expect.poll(() => page.frames().length).toBe(3);
  for (const frame of page.frames().filter((each) => each !== page.mainFrame())) {
    await expect(frame.evaluate(() => 'coffer' in window)).resolves.toBe(false);
  }
}

/** On the welcome screen. Leaves the connection form open, and connects anew. */
export async function expectNothingElsewhere(app: App): Promise<void> {
  const { page } = app;
  let visits = 0;
  const other = createServer((_request, response) => {
    visits += 1;
    response.setHeader('access-control-allow-origin', '*');
    response.setHeader('content-type', 'text/html');
    response.end('<script>parent.postMessage(typeof coffer, "*")</script>');
  });
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const address = `http://127.0.0.1:${(other.address() as AddressInfo).port}/`;
  await expect(page.getByRole('heading', { name: 'Welcome to Coffer' })).toBeVisible();
  const url = page.url();

  const blocked = await page.evaluate(async (outside) => {
    document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) => {
      document.body.dataset['blocked'] += ` ${effectiveDirective}`;
    });
    const script = document.createElement('script');
    script.textContent = 'window.ran = true';
    const remote = document.createElement('script');
    remote.src = `${outside}script.js`;
    const style = document.createElement('style');
    style.textContent = 'body { display: none }';
    const frame = document.createElement('iframe');
    frame.src = outside;
    const image = document.createElement('img');
    image.src = `${outside}image.png`;
    document.body.append(script, remote, style, frame, image);
    // Scripts evaluated by the debugger are allowed; those that the page itself adds later are not.
    const evaluated = await new Promise<string>((resolve) => {
      setTimeout(() => {
        try {
          resolve(String(Reflect.construct(Function, ['return 1'])()));
        } catch {
          resolve('blocked');
        }
      }, 0);
    });
    const fetched = await fetch(outside).then(
      () => 'fetched',
      () => 'blocked',
    );
    return {
      evaluated,
      fetched,
      inline: 'ran' in window,
      display: getComputedStyle(document.body).display,
    };
  }, address);
  expect(blocked).toEqual({
    evaluated: 'blocked',
    fetched: 'blocked',
    inline: false,
    display: 'block',
  });
  for (const directive of [
    'connect-src',
    'frame-src',
    'img-src',
    'script-src',
    'script-src-elem',
    'style-src-elem',
  ])
    await expect(page.locator('body')).toHaveAttribute('data-blocked', new RegExp(` ${directive}( |$)`));

  await page.evaluate(async (outside) => {
    window.open(outside);
    location.href = outside;
    // Answered once the navigation was refused.
    await (Reflect.get(window, 'coffer') as Coffer).call('app.info');
  }, address);
  // Playwright waits for ever for the end of a navigation that Electron refused.
  await app.reconnect();
  await app.page.getByRole('button', { name: 'Connect to a service' }).click();
  await expect(app.page.getByRole('textbox', { name: 'Base address' })).toBeVisible();
  expect(app.page.url()).toBe(url);
  await expect.poll(() => app.page.context().pages().length).toBe(1);
  expect(visits).toBe(0);
  other.close();
}

/** Checks that the page is served only its bundle, and each preview once. Uploads the first object. */
export async function expectOnlyBundle(app: App): Promise<void> {
  const { page } = app;
  const coffer = new CofferWindow(page);
  const fetchStatus = (path: string) =>
    page.evaluate(
      (wanted) =>
        fetch(wanted).then(
          ({ status }) => status,
          () => 0,
        ),
      path,
    );
  for (const path of [
    '/../../etc/passwd',
    '/..%2f..%2f..%2f..%2fetc%2fpasswd',
    '/%2e%2e/%2e%2e/main/index.js',
    '/..\\..\\main\\index.js',
    '/%00',
    '/%ff',
    '//etc/passwd',
    '/preview/',
    '/preview/not-a-ticket',
    '/preview/../index.js',
    '/assets',
  ]) {
    expect(await fetchStatus(path), path).not.toBe(200);
  }

  const path = join(app.folder, 'page.html');
  writeFileSync(path, '<script>document.title = "ran"</script>\n'.repeat(10));
  await app.drop([path]);
  await coffer.startUpload(1);
  await coffer.expectStored('page.html');
  const answers = await page.evaluate(async () => {
    const { call } = Reflect.get(window, 'coffer') as Coffer;
    const preview = await call('objects.preview', { id: 1, mayFetch: true });
    const { url } = (preview.value as { preview: { url: string } }).preview;
    const first = await fetch(url);
    const second = await fetch(url);
    return {
      statuses: [first.status, second.status],
      type: first.headers.get('content-type'),
      policy: first.headers.get('content-security-policy'),
      sniff: first.headers.get('x-content-type-options'),
    };
  });
  expect(answers).toEqual({
    statuses: [200, 404],
    type: expect.stringMatching(/^text\/plain/),
    policy: expect.stringContaining('sandbox'),
    sniff: 'nosniff',
  });

  await coffer.row('page.html').click();
  await coffer.showTab('Details');
  // From the uploaded file.
  await expect(page.getByLabel('Preview of page.html')).toContainText('document.title = "ran"');
  await expect(page).not.toHaveTitle('ran');

  // The page's own fonts, whatever is installed.
  const loadedFonts = () =>
    page.evaluate(() =>
      [...document.fonts].filter(({ status }) => status === 'loaded').map(({ family }) => family),
    );
  await expect
    .poll(loadedFonts)
    .toEqual(expect.arrayContaining(['Inter Variable', 'JetBrains Mono Variable']));
}
