import { inOneLine } from '../../shared/domain/legible.ts';
import type { ListedObject } from '../../shared/contract.ts';
import type { ObjectKind, ObjectQuery } from '../../shared/domain/object.ts';
import type { Service } from '../../shared/domain/service.ts';
import { formatMoment, formatSize } from '../../shared/i18n/format.ts';
import type { Context, Run } from '../context.ts';
import { findListed } from '../objects/find-objects.ts';
import { exitCodeOfAll, exitCodes } from '../errors/exit-code.ts';
import { objectJson } from '../terminal/json.ts';
import { rowOf } from '../terminal/layout.ts';
import type { Output } from '../terminal/output.ts';
import { commandTexts as texts } from '../texts.ts';

/** Up to `pagesAhead` further pages are requested while one is printed. */
const [rowsAtOnce, pagesAhead] = [5000, 2];

/** `coffer ls [FOLDER|QUERY]` */
export function list(wanted: string, kind: ObjectKind): Run {
  return async (context) => {
    const service = await context.service();
    const query = await queryOf(context, service, wanted, kind);
    const { coffer, output, interrupted } = context;
    const listing = crypto.randomUUID();
    const ask = (offset: number) =>
      coffer.call('command.list', { query, offset, limit: rowsAtOnce, listing });
    const first = await ask(0);
    const nowMs = Date.now();
    const tell = ({ rows }: typeof first) => {
      for (const row of rows) {
        if (output.isJson) output.value(objectJson(row));
        else output.result(lineOf(output, row, nowMs), row);
      }
    };
    tell(first);
    if (first.total === 0) {
      if (query.search.includes(':'))
        (await import('../objects/search-filters.ts')).refuseUnknownFilters(wanted);
      output.say(wanted === '' ? texts.listEmpty : texts.nothingFound);
    }
    const ahead: Promise<typeof first>[] = [];
    for (let offset = rowsAtOnce; offset < first.total || ahead.length > 0;) {
      while (ahead.length < pagesAhead && offset < first.total) {
        ahead.push(ask(offset));
        offset += rowsAtOnce;
      }
      const page = await ahead.shift();
      interrupted.throwIfAborted();
      if (output.isClosed()) return exitCodes.done;
      if (page) tell(page);
    }
    return exitCodes.done;
  };
}

/** An existing folder takes precedence over a search for the same text. */
async function queryOf(
  { coffer }: Context,
  { id, separator }: Service,
  wanted: string,
  kind: ObjectKind,
): Promise<ObjectQuery> {
  const sort = { column: 'identifier', direction: 'ascending' } as const;
  const path = wanted.endsWith(separator) ? wanted.slice(0, -separator.length) : wanted;
  if (path !== '') {
    const query = { serviceId: id, kind, place: { kind: 'folder', path }, search: '', sort } as const;
    if ((await coffer.call('command.list', { query, offset: 0, limit: 1 })).total > 0) return query;
  }
  // Loaded only when needed: it takes a third of the start time.
  if (wanted.includes(':')) (await import('../objects/search-filters.ts')).refuseBadFilters(wanted);
  return { serviceId: id, kind, place: { kind: 'all' }, search: wanted, sort };
}

function lineOf(output: Output, row: ListedObject, nowMs: number): string {
  const { state, lengthBytes, storedAtMs, identifier, renewBy, storedBy } = row;
  const size = lengthBytes === null ? '' : formatSize(lengthBytes);
  const stored = storedAtMs === null ? '' : formatMoment(storedAtMs, nowMs);
  const cells = [texts.state[state].padEnd(11), size.padStart(9), stored.padStart(18)];
  const after = [
    ...(renewBy == null ? [] : [texts.renewBy({ date: renewBy })]),
    ...(storedBy === undefined ? [] : [texts.storedBy({ name: storedBy })]),
  ];
  return rowOf(output, cells, identifier, after);
}

/** `coffer info ID…` */
export function info(identifiers: readonly string[]): Run {
  return async (context) => {
    const service = await context.service();
    const { rows, codes } = await findListed(context, service, identifiers);
    for (const [index, row] of rows.entries()) {
      const json = objectJson(row);
      const lines = Object.entries(json).filter(([, value]) => value !== null && String(value) !== '');
      const words = lines.map(([name, value]) => `${name}: ${inOneLine(String(value))}`).join('\n');
      context.output.result(index === 0 ? words : `\n${words}`, json);
    }
    return exitCodeOfAll([...rows.map(() => exitCodes.done), ...codes]);
  };
}
