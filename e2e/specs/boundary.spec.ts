import { expect, test } from '../fixtures.ts';
import { CofferWindow } from '../pages/coffer-window.ts';

type Reply = { ok: boolean; value?: unknown; error?: { code: string } };
type Coffer = { call: (name: unknown, input?: unknown) => Promise<Reply> };

test('refuses invalid requests of the page with an error text that contains no path @all', async ({
  app,
}) => {
  const { page } = app;
  await new CofferWindow(page).tryOnThisComputer();
  const replies = await page.evaluate(async () => {
    const { call } = Reflect.get(window, 'coffer') as Coffer;
    const proto: unknown = JSON.parse('{"__proto__":{"polluted":true},"id":1}');
    const asked: [unknown, unknown?][] = [
      ['nonsense'],
      ['__proto__'],
      ['constructor', {}],
      ['toString'],
      [''],
      [null],
      [{ name: 'app.info' }],
      [['app.info']],
      ['app.info', { extra: true }],
      ['objects.get', proto],
      ['objects.get', { id: '1' }],
      ['objects.get', { id: Number.NaN }],
      ['objects.get', { id: 1, path: '/etc/passwd' }],
      ['app.open', { what: '/etc/passwd' }],
      ['uploadPlans.open', { serviceId: 'local', intoFolder: '', grants: ['/etc/passwd'] }],
      ['objects.addKnown', { serviceId: 'local', kind: 'data', identifiers: ['x'.repeat(1_000_000)] }],
      ['services.setToken', { id: 'local', token: '' }],
      ['settings.update', { theme: 'x'.repeat(1_000_000) }],
    ];
    return Promise.all(asked.map(([name, input]) => call(name, input)));
  });
  for (const reply of replies) {
    expect(reply.ok).toBe(false);
    expect(['unknownProcedure', 'invalidInput', 'notFound']).toContain(reply.error?.code);
    expect(JSON.stringify(reply)).not.toMatch(/passwd|\/|at .*:\d+/);
  }
  await expect(page.evaluate(() => 'polluted' in {})).resolves.toBe(false);
  await new CofferWindow(page).expectReady('This computer');
});
