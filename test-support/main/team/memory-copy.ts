import { randomUUID } from 'node:crypto';
import type { ObjectKind } from '../../../src/shared/domain/object.ts';
import type {
  TeamCopy,
  TeamCursor,
  TeamFill,
  TeamJoining,
  LeftArea,
  TeamPush,
  TeamRow,
  TeamState,
} from '../../../src/main/objects/team/team-copy.ts';
import type { Change } from './team-database.ts';

/** A copy of one service's list in memory, for tests of the network part. The database's copy has its own tests. */
export type MemoryCopy = TeamCopy & {
  readonly rows: Map<string, TeamRow>;
  readonly names: Map<number, string>;
  /** Changes set aside, with the reason. */
  readonly refused: Map<string, string>;
  /** Makes changes that are due. */
  change(...changes: Change[]): void;
  /** Called before each function, by its name; may throw. */
  onCall: (name: string) => void;
  /** Like a copy of the data folder. */
  clone(): MemoryCopy;
};

type Memory = {
  joining: TeamJoining | null;
  client: string;
  seq: number;
  before: string | null;
  cursor: TeamCursor | null;
  fill: TeamFill | null;
  came: Set<string>;
  /** Grants of areas that have been filled, and of those being filled. */
  filled: Map<number, string>;
  filling: Map<number, string>;
  access: TeamState['access'];
  accessRev: number | null;
  readMs: number | null;
  due: Map<string, Change>;
  pushed: Map<string, { rev: number; change: Change }>;
  flight: { push: TeamPush; sent: Change[] } | null;
  pushMax: number;
  anchors: { rev: number; tag: string }[];
  rows: Map<string, TeamRow>;
  people: Map<number, string>;
  refused: Map<string, string>;
};

const keyOf = ({ kind, identifier }: { kind: ObjectKind; identifier: string }) => `${kind} ${identifier}`;

export function createMemoryCopy(joining: TeamJoining, given?: Memory): MemoryCopy {
  const my: Memory = given ?? {
    joining,
    client: randomUUID(),
    seq: 0,
    before: null,
    cursor: null,
    fill: null,
    came: new Set(),
    filled: new Map(),
    filling: new Map(),
    access: [],
    accessRev: null,
    readMs: null,
    due: new Map(),
    pushed: new Map(),
    flight: null,
    pushMax: 1000,
    anchors: [],
    rows: new Map(),
    people: new Map(),
    refused: new Map(),
  };

  function take(row: TeamRow): void {
    const key = keyOf(row);
    if ((my.rows.get(key)?.rev ?? 0) > row.rev) return;
    if (row.isForgotten) my.rows.delete(key);
    else my.rows.set(key, row);
  }

  function depart(leftArea: LeftArea): void {
    const key = keyOf(leftArea);
    if ((my.rows.get(key)?.rev ?? Infinity) < leftArea.rev) my.rows.delete(key);
  }

  function anchor(rev: number, tag: string): void {
    my.anchors = [{ rev, tag }, ...my.anchors.filter((each) => each.rev !== rev)]
      .toSorted((a, b) => b.rev - a.rev)
      .slice(0, 200);
  }

  const dropAreas = (isGone: (area: number, key: string) => boolean) => {
    for (const [key, { area }] of my.rows) if (isGone(area, key)) my.rows.delete(key);
  };

  const functions: TeamCopy = {
    async stateOf() {
      return (
        my.joining && { ...my.joining, ...my, due: my.due.size, refused: my.refused.size, noteConflicts: 0 }
      );
    },
    async join() {},
    async leave() {
      my.joining = null;
    },
    async clear() {
      return false;
    },
    async nextPush() {
      if (my.flight === null && my.due.size > 0) {
        const sent = [...my.due.values()].slice(0, my.pushMax);
        const changes = JSON.stringify(sent.map((change) => ({ kind: 0, ...change })));
        const { client, before } = my;
        my.flight = { push: { client, seq: my.seq + 1, before, tag: randomUUID(), changes }, sent };
      }
      return my.flight && my.flight.push;
    },
    async acknowledge(_, seq, answer) {
      if (my.flight?.push.seq !== seq) return;
      const { push, sent } = my.flight;
      const refused = new Map(answer.refused);
      for (const [at, change] of sent.entries()) {
        if (my.due.get(change.identifier) === change) my.due.delete(change.identifier);
        const reason = refused.get(at + 1);
        if (reason !== undefined) my.refused.set(change.identifier, reason);
        else my.pushed.set(change.identifier, { rev: answer.rev, change });
      }
      if (refused.size < sent.length) anchor(answer.rev, answer.tag);
      Object.assign(my, { seq, before: push.tag, flight: null, pushMax: 1000 });
    },
    async halvePush(_, seq, reason) {
      if (my.flight?.push.seq !== seq) return;
      const { sent } = my.flight;
      my.flight = null;
      my.pushMax = Math.max(Math.floor(sent.length / 2), 1);
      const [only] = sent;
      if (sent.length > 1 || only === undefined) return;
      my.due.delete(only.identifier);
      my.refused.set(only.identifier, reason);
    },
    async renewClient() {
      Object.assign(my, { client: randomUUID(), seq: 0, before: null, flight: null });
    },
    async apply(_, { rows, leftArea, cursor }) {
      rows.forEach(take);
      leftArea.forEach(depart);
      my.cursor = cursor;
      if (cursor.tag !== null) anchor(cursor.rev, cursor.tag);
    },
    async setAccess(_, access, accessRev) {
      const now = new Map(access.map(({ area, since }) => [area, since]));
      const isGone = ([area, since]: [number, string]) => now.get(area) !== since;
      const gone = [...my.filled, ...my.filling].filter(isGone).map(([area]) => area);
      dropAreas((area) => gone.includes(area));
      for (const area of gone) my.filled.delete(area);
      if ([...my.filling].some(isGone)) Object.assign(my, { fill: null, filling: new Map() });
      Object.assign(my, { access, accessRev });
      return [...now.keys()].filter((area) => !my.filled.has(area) && !my.filling.has(area));
    },
    async setSecretsSince() {
      // It holds no secrets.
    },
    async beginFill(_, areas, head) {
      const all = new Set([...areas, ...my.filling.keys()]);
      my.fill = { areas: [...all], head, after: null };
      my.filling = new Map(
        my.access.filter(({ area }) => all.has(area)).map(({ area, since }) => [area, since]),
      );
      my.came = new Set();
    },
    async fillPage(_, rows, isLast) {
      const { fill } = my;
      if (fill === null) return;
      for (const row of rows) my.came.add(keyOf(row));
      rows.forEach(take);
      const last = rows.at(-1);
      my.fill = last ? { ...fill, after: { kind: last.kind, identifier: last.identifier } } : fill;
      if (!isLast) return;
      dropAreas((area, key) => fill.areas.includes(area) && !my.came.has(key));
      my.filled = new Map([...my.filled, ...my.filling]);
      if (my.cursor === null && fill.head.tag !== null) anchor(fill.head.rev, fill.head.tag);
      Object.assign(my, { cursor: my.cursor ?? fill.head, fill: null, filling: new Map() });
    },
    async noteRead(_, atMs) {
      my.readMs = atMs;
    },
    async setPeople(_, people) {
      my.people.clear();
      for (const { id, shown } of people) my.people.set(id, shown);
    },
    async people() {
      return [...my.people].map(([id, shown]) => ({ id, shown, isEnded: false }));
    },
    async earlier() {
      return { count: 0, first: [] };
    },
    async noteConflicts() {
      return [];
    },
    async forgetNoteConflict() {
      // It sets no notes apart.
    },
    async anchors() {
      return my.anchors;
    },
    async serverForgot(_, commonRev) {
      for (const [identifier, { rev, change }] of my.pushed)
        if (rev > commonRev && !my.due.has(identifier)) my.due.set(identifier, change);
      my.anchors = my.anchors.filter(({ rev }) => rev <= commonRev);
      Object.assign(my, { cursor: null, fill: null, filling: new Map(), filled: new Map() });
    },
  };

  const copy: MemoryCopy = {
    ...functions,
    rows: my.rows,
    names: my.people,
    refused: my.refused,
    change(...changes) {
      for (const change of changes) my.due.set(change.identifier, change);
    },
    onCall: () => undefined,
    clone: () => createMemoryCopy(joining, structuredClone(my)),
  };
  for (const [name, work] of Object.entries(functions)) {
    Object.assign(copy, {
      [name]: async (...args: never[]) => {
        copy.onCall(name);
        return (work as (...given: never[]) => Promise<unknown>)(...args);
      },
    });
  }
  return copy;
}
