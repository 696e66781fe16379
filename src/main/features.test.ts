import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Input, Output, ProcedureName } from '../shared/contract.ts';
import { draftFor } from '../../test-support/main/connections/test-services.ts';
import { serve } from '../../test-support/main/service/test-server.ts';
import { openApp } from '../../test-support/main/test-app.ts';
import { openDatabase } from './storage/open-database.ts';

/** Calls of the database by which each feature forgets a service. */
const lastCallOf = new Map([
  ['transfers.removeService', 'transfers'],
  ['undoStore.removeService', 'undo copies'],
  ['documents.write editChoices', 'edits'],
  ['documents.write watchedFolders', 'watched folders'],
  ['team.leave', 'team'],
  ['documents.write classifications', 'classifications'],
  ['documents.write previews', 'previews'],
  ['catalogue.closeService', 'list'],
]);

it('removes what each feature has of a service, one feature after the other', async () => {
  const steps: string[] = [];
  const noted = <T extends object>(room: string, functions: T): T =>
    new Proxy(functions, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name);
        if (typeof value !== 'function') return value;
        return (...args: readonly unknown[]): unknown => {
          const call = `${room}.${String(name)}${room === 'documents' ? ` ${String(args[0])}` : ''}`;
          const step = lastCallOf.get(call);
          if (step !== undefined) steps.push(step);
          return Reflect.apply(value, target, args);
        };
      },
    });
  const { app, folder, publisher } = await openApp({
    async open(options) {
      const opened = await openDatabase(options);
      if (opened.state !== 'ready') throw new Error('a new list is ready');
      const { catalogue, documents, transfers, undoStore, team } = opened.database;
      const database = {
        ...opened.database,
        catalogue: noted('catalogue', catalogue),
        documents: noted('documents', documents),
        transfers: noted('transfers', transfers),
        undoStore: noted('undoStore', undoStore),
        team: noted('team', team),
      };
      return { ...opened, database };
    },
  });
  async function call<N extends ProcedureName>(name: N, input: Input<N>): Promise<Output<N>> {
    const reply = await app.router(name, input);
    if (!reply.ok) throw new Error(JSON.stringify(reply.error));
    return reply.value as Output<N>;
  }
  // Answers nothing, so that the operation goes on until the service is removed.
  const { address } = await serve(() => undefined);
  const { id: serviceId } = await call('services.add', { draft: draftFor(address), token: 'a-token' });
  const watched = join(folder, 'watched');
  mkdirSync(watched);
  const [grant = ''] = app.grant([watched]);
  const choices: Input<'watch.add'>['choices'] = {
    into: '',
    template: '{name}',
    classification: null,
    ifExists: 'skip',
    request: 'direct',
    ignore: [],
    settleSeconds: 5,
  };
  await call('watch.add', { serviceId, grant, choices, withExisting: false });
  await call('objects.addKnown', { serviceId, kind: 'data', identifiers: ['a'] });
  expect(app.background.isBusy()).toBe(true);
  app.background.onChanged(() => {
    if (!app.background.isBusy()) steps.push('operations');
  });
  const publish = publisher.publish.bind(publisher);
  publisher.publish = (event, payload) => {
    if (event === 'approvals.changed') steps.push('approvals');
    publish(event, payload);
  };
  steps.length = 0;

  await call('services.remove', { id: serviceId, removeCatalogue: false, unfinished: 'drop' });
  expect(steps.filter((step, index) => step !== steps[index - 1])).toEqual([
    'transfers',
    'undo copies',
    'edits',
    'watched folders',
    'team',
    'approvals',
    'operations',
    'classifications',
    'previews',
    'list',
  ]);
});
