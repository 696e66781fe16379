import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Input, Output, ProcedureName } from '../../shared/contract.ts';
import { serve } from '../../../test-support/main/service/test-server.ts';
import { openApp } from '../../../test-support/main/test-app.ts';
import { draftFor } from '../../../test-support/main/connections/test-services.ts';

it('asks before changing the address during transfers, and sends none of them there', async () => {
  const seen = { before: [] as string[], after: [] as string[] };
  // Never answer uploads, so that they stay in progress.
  const serveOne = (at: keyof typeof seen) =>
    serve((request, response) => {
      const { method, headers } = request;
      seen[at].push(`${method} ${headers.authorization?.replace('Bearer ', '')}`);
      if (method !== 'POST') response.writeHead(headers.authorization ? 404 : 401).end();
    });
  const before = await serveOne('before');
  const after = await serveOne('after');
  const { app, folder } = await openApp();
  async function call<N extends ProcedureName>(name: N, input: Input<N>): Promise<Output<N>> {
    const reply = await app.router(name, input);
    if (!reply.ok) throw new Error(JSON.stringify(reply.error));
    return reply.value as Output<N>;
  }

  const { id } = await call('services.add', { draft: draftFor(before.address), token: 'first-token' });
  const source = join(folder, 'top');
  mkdirSync(source);
  for (const name of ['a', 'b', 'c']) writeFileSync(join(source, name), name);
  for (const request of ['direct', 'deferred'] as const) {
    const sheet = await call('uploadPlans.open', {
      serviceId: id,
      intoFolder: request,
      grants: app.grant([source]),
    });
    await call('uploadPlans.upload', { id: sheet.id, classification: null, ifExists: 'skip', request });
  }
  await expect.poll(() => seen.before.some((line) => line.startsWith('POST'))).toBe(true);

  const move = { id, draft: draftFor(after.address) };
  await expect(call('services.update', { ...move, unfinished: 'ask' })).rejects.toThrow(
    '{"code":"serviceBusy","count":6}',
  );
  const moved = await call('services.update', { ...move, unfinished: 'cancel' });
  expect(moved).toMatchObject({ baseAddress: after.address, tokenStoredIn: 'none' });
  expect(await call('services.setToken', { id, token: 'second-token' })).toMatchObject({
    connection: 'ready',
  });
  const { rows } = await call('transfers.page', { tab: 'transfers', offset: 0, limit: 10 });
  expect(rows.map(({ state }) => state)).toEqual(['cancelled', 'cancelled', 'cancelled']);
  expect(seen.before.join()).not.toContain('second-token');
  expect(seen.after.join()).not.toMatch(/first-token|POST/);

  // No request to the former address is unresolved, so this is not refused.
  await call('services.update', { ...move, draft: draftFor(`${after.address}/v2`), unfinished: 'ask' });
  // Retrying sends the transfers to the present address.
  const asked = seen.before.length;
  await call('transfers.retry', { which: rows.map((row) => row.id) });
  await expect.poll(() => seen.after.includes('POST second-token')).toBe(true);
  expect(seen.before).toHaveLength(asked);
});
