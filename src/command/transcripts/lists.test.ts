import { describe, expect, test } from 'vitest';
import { eventually } from '../../../test-support/eventually.ts';
import { playTranscript } from '../../../test-support/command/transcript.ts';

describe.skipIf(process.platform !== 'linux')('lists and bulk operations', () => {
  test('lists', () =>
    expect(
      playTranscript({ name: 'lists', with: 'app' }, async ({ coffer, world }) => {
        await coffer('coffer ls');
        await coffer('coffer put a.txt photos --to l --quiet > /dev/null');
        await coffer('coffer ls');
        await coffer('coffer get l/a.txt -o - > /dev/null');
        // Otherwise a nightly command would fill it.
        const [service] = (await world.call('services.list', undefined)).services;
        const query = {
          serviceId: service?.id ?? '',
          kind: 'data',
          place: { kind: 'recent' },
          search: '',
        } as const;
        const sort = { column: 'stored', direction: 'descending' } as const;
        const recent = await world.call('objects.page', { query: { ...query, sort }, offset: 0, limit: 9 });
        expect(recent.rows).toEqual([]);
        await coffer('coffer ls l/photos');
        await coffer("coffer ls 'kind:picture may'");
        await coffer('coffer ls nothing');
        await coffer('coffer ls --json l/photos/may');
        await coffer('coffer ls --json | head -n 1 | jq -r .identifier');
        await coffer('coffer info l/a.txt nothing');
        await coffer('coffer info --json l/a.txt');
        await coffer('coffer services');
        await coffer('coffer services --json');
        await coffer('coffer -s Other ls');
      }),
    ).resolves.toMatchFileSnapshot('lists.txt'));
  test('check, rm, known', () =>
    expect(
      playTranscript({ name: 'tasks', with: 'app' }, async ({ coffer, world }) => {
        await coffer('coffer put a.txt b.txt --to t --quiet > /dev/null');
        await world.service.client.send('DELETE', '/api/data/t%2Fb.txt');
        await world.service.client.send('POST', '/api/data/t%2Ftheirs', 'theirs');
        await coffer('coffer check t/a.txt');
        await coffer('coffer check t/a.txt t/b.txt t/nothing');
        await coffer('coffer check t/a.txt --json --quiet');
        await coffer('coffer known t/theirs t/nothing');
        await coffer('coffer known t/theirs --json');
        await coffer('coffer rm t/a.txt', { types: [['[y/N] ', 'n\r']] });
        await coffer('coffer rm t/a.txt', { types: [['[y/N] ', 'y\r']], only: 'terminal' });
        await coffer('coffer rm t/theirs --yes');
        await coffer('coffer rm t/nothing --yes');
        await coffer('printf value | coffer secret new t/pw --renew-by 2030-01-02 --quiet > /dev/null');
        await coffer('coffer rm t/pw --yes');
        await coffer('coffer check t/pw');
        await coffer('coffer info t/pw');
        await coffer('coffer versions t/pw');
        await coffer('coffer secret ls');
        await coffer('coffer secret ls --json');
      }),
    ).resolves.toMatchFileSnapshot('tasks.txt'));
  test('versions, export, import', () =>
    expect(
      playTranscript({ name: 'exchange', with: 'app' }, async ({ coffer }) => {
        await coffer('coffer put a.txt b.txt --quiet > /dev/null');
        await coffer('coffer put c.txt --as a.txt --if-exists version');
        await coffer('coffer versions a.txt');
        await coffer('coffer versions b.txt --json | jq -c "[.number, .identifier]"');
        await coffer('coffer versions nothing');
        await coffer('coffer export list.csv');
        await coffer('coffer export list.txt');
        await coffer('coffer export - | jq -r .identifier | sort');
        await coffer('coffer import list.csv');
        await coffer('head -n 3 list.csv | coffer import - --format csv --json');
        await coffer('echo \'{"no": 1}\' | coffer import -');
        await coffer('coffer import nothing.csv');
        await coffer("printf 'identifier;note\\nb.txt;caf\\351\\n' > excel.csv; coffer import excel.csv");
        await coffer('coffer import excel.csv --encoding ebcdic');
        await coffer('coffer import excel.csv --encoding cp1252');
        await coffer('coffer export - | sed s/b.txt/told.txt/ > told.jsonl; coffer import told.jsonl');
        await coffer('coffer rm told.txt', { types: [['[y/N] ', 'n\r']], only: 'terminal' });
        await coffer('coffer rm told.txt b.txt', { types: [['[y/N] ', 'n\r']], only: 'terminal' });
      }),
    ).resolves.toMatchFileSnapshot('exchange.txt'));
  test('transfers', () =>
    expect(
      playTranscript({ name: 'transfers', with: 'app' }, async ({ coffer, world }) => {
        await coffer('coffer transfers');
        await coffer('coffer put a.txt --quiet');
        await coffer('coffer transfers');
        await coffer('coffer transfers --follow --json');
        await coffer('coffer pause');
        await coffer('coffer put b.txt c.txt', {
          interruptWhen: () =>
            eventually(async () => {
              const asked = { tab: 'transfers', offset: 0, limit: 1 } as const;
              const { summary } = await world.call('transfers.page', asked);
              if (summary.transfers.counts.waiting !== 2) throw new Error('not there yet');
            }),
        });
        await coffer('coffer put b.txt --as again --wait 0');
        await coffer('coffer resume');
        await coffer('coffer transfers --follow --json | jq -r .state | sort | uniq | head -n 1');
        await coffer('coffer cancel 99');
        await coffer('coffer cancel x');
        await coffer('coffer cancel');
      }),
    ).resolves.toMatchFileSnapshot('transfers.txt'));
});
