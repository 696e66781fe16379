import type { ObjectRecord } from '../../../../src/shared/domain/object.ts';
import type { IfExists, RequestKind } from '../../../../src/shared/domain/service.ts';
import type { SimulatedService } from '../simulated-service.ts';
import type { Luck } from './luck.ts';
import type { Names } from './names.ts';
import type { FileToUpload } from './person-options.ts';
import type { Person } from './person.ts';

/** In bytes: around the limit, with one part or more. */
const sizes = [0, 1, 20, 20, 3_999, 4_000, 4_001, 4_001, 6_000, 8_001];
const usualDate = new Date('2026-01-02T03:04:05Z');
const dates = [
  new Date('1969-12-31T23:59:58.500Z'),
  new Date('1905-01-01T00:00:00Z'),
  new Date('+010000-01-01T00:00:00Z'),
  // In seconds: later than a Date can represent.
  9e12,
];

/** How often each act is drawn. Acts that need a row or a transfer do nothing without one. */
const weights = {
  upload: 20,
  undo: 3,
  download: 3,
  delete: 5,
  check: 4,
  forget: 3,
  addKnown: 4,
  export: 3,
  import: 4,
  makeCurrent: 3,
  findVersions: 2,
  keepOnService: 1,
  removeLeftovers: 1,
  cancel: 2,
  cancelAll: 1,
  retry: 2,
  drop: 1,
  answer: 4,
  hourPasses: 1,
  diskFillsOrEmpties: 1,
  clearUndoCopies: 1,
};
type Name = keyof typeof weights;

export interface Act {
  readonly name: string;
  /** Logged before the act is carried out. */
  readonly words: string;
  readonly work: () => Promise<unknown>;
  /** Virtual time stands still meanwhile: the act uses files, which take real time. */
  readonly isAtOnce?: boolean;
}

/** Draws what a person does next. */
export function createActs(
  luck: Luck,
  names: Names,
  service: SimulatedService,
  onCleared: (person: Person) => void,
) {
  const { pick, upTo, some, next } = luck;
  const exported: string[] = [];

  function textOf(): string {
    const sizeBytes = pick(sizes);
    // Several persons have the same files.
    const label = `text ${upTo(5)} `;
    const last = [...service.versions.values()].flat().at(-1)?.text ?? '';
    // Content that the service has already, which may be a manifest.
    return next() < 0.05 ? last : label.repeat(Math.ceil(sizeBytes / label.length)).slice(0, sizeBytes);
  }

  async function upload(person: Person): Promise<Omit<Act, 'name'>> {
    const file: FileToUpload = {
      serviceId: pick(person.serviceIds),
      identifier: next() < 0.9 ? names.any() : names.toStore(service),
      text: textOf(),
      ifExists: pick<IfExists>([
        'ask',
        'skip',
        'keepBoth',
        'newVersion',
        'newVersion',
        'replace',
        'replace',
        'replace',
      ]),
      route: pick<RequestKind>(['direct', 'direct', 'direct', 'deferred']),
      classification: pick([null, null, null, 'Internal']),
      modified: next() < 0.94 ? usualDate : pick(dates),
    };
    const words = `${file.identifier}, ${file.text.length} bytes, ${file.ifExists}, ${file.route}, of ${String(file.modified)}`;
    return { words, work: await person.prepareUpload(file) };
  }

  function withOne(rows: readonly ObjectRecord[], work: (row: ObjectRecord) => Promise<unknown>) {
    const row = pick(rows);
    return { words: row.identifier, work: () => work(row) };
  }

  async function draw(name: Name, person: Person): Promise<Omit<Act, 'name'> | null> {
    const { serviceIds } = person;
    const serviceId = pick(serviceIds);
    const rows = (await person.rows()).filter((row) => row.serviceId === serviceId);
    const transfers = [...(await person.transfers()), ...(await person.jobs())];
    const one = rows.length === 0 ? null : pick(rows);
    const many = one === null ? [] : next() < 0.6 ? [one] : [...new Set([one, ...some(rows)])];
    const transfer = transfers.length === 0 ? null : pick(transfers);
    const plain = (work: () => Promise<unknown>) => ({ words: '', work });
    const ofMany = (work: () => Promise<unknown>) =>
      one && { words: many.map(({ identifier }) => identifier).join(', '), work };
    const ofTransfer = (work: (id: number) => Promise<unknown>) =>
      transfer && {
        words: `${transfer.direction} of ${transfer.identifier}, ${transfer.state}`,
        work: () => work(transfer.id),
      };
    switch (name) {
      case 'upload':
        return upload(person);
      case 'undo': {
        const identifier = pick(names.bases);
        return { words: identifier, work: () => person.undo(serviceId, identifier) };
      }
      case 'download': {
        const route = pick(['direct', 'deferred'] as const);
        return one && withOne([one], (row) => person.download(row, route));
      }
      case 'delete':
        return ofMany(() => person.delete(many));
      case 'check':
        return one && plain(() => person.check(rows));
      case 'forget':
        return one && plain(() => person.forget(rows));
      case 'addKnown': {
        const identifiers = [names.ofService(service), names.any()];
        return { words: identifiers.join(', '), work: () => person.addKnown(serviceId, identifiers) };
      }
      case 'export': {
        const format = pick(['jsonl', 'csv'] as const);
        const work = async () => void exported.push(await person.exportTo(serviceId, format));
        return { words: format, work, isAtOnce: true };
      }
      case 'import': {
        const path = exported.length === 0 ? null : pick(exported);
        if (path === null) return null;
        return { words: '', work: () => person.importFrom(serviceId, path), isAtOnce: true };
      }
      case 'makeCurrent':
        return one && withOne([one], (row) => person.makeCurrent.begin(row));
      case 'findVersions':
        return one && withOne([one], (row) => person.findVersions(row));
      case 'keepOnService':
        return plain(() => person.keepOnService());
      case 'removeLeftovers':
        return plain(() => person.removeLeftovers(serviceId));
      case 'cancel':
        return ofTransfer((id) => person.cancel([id]));
      case 'cancelAll':
        return plain(() => person.cancel(null));
      case 'retry':
        return ofTransfer((id) => person.retry(id));
      case 'drop':
        return plain(() => person.drop());
      case 'answer': {
        const answer = pick(['skip', 'keepBoth', 'newVersion', 'replace'] as const);
        const applyToAll = next() < 0.4;
        return { words: answer, work: () => person.answer(answer, applyToAll) };
      }
      case 'hourPasses':
        return plain(() => person.undoCopies.trim());
      case 'diskFillsOrEmpties':
        return plain(async () => void (person.freeBytes = person.freeBytes === null ? 1000 : null));
      case 'clearUndoCopies':
        return plain(async () => {
          // Before the call: a kill may come in between.
          onCleared(person);
          await person.clearUndoCopies();
        });
    }
  }

  return async (person: Person): Promise<Act> => {
    for (;;) {
      const name = luck.weighed(weights);
      const drawn = await draw(name, person);
      if (drawn !== null) return { name, ...drawn };
    }
  };
}
