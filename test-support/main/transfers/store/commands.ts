import fc from 'fast-check';
import { objectStateSchema } from '../../../../src/shared/domain/object.ts';
import { prioritySchema } from '../../../../src/shared/domain/transfer.ts';
import type { AppError } from '../../../../src/shared/errors.ts';
import type { State } from '../../../../src/main/transfers/model/state.ts';
import type { Work } from '../../../../src/main/transfers/model/work.ts';

export const serviceIds = ['p1', 'p2'];
const origins = ['https://one.example', 'https://two.example'];
export const tabs = ['transfers', 'jobs'] as const;
export const groups = ['waiting', 'running', 'needsYou', 'done'] as const;

const serviceId = fc.constantFrom(...serviceIds);
/** Two of three have the first origin. */
const origin = fc.constantFrom(origins[0] ?? '', origins[0] ?? '', origins[1] ?? '');
const identifier = fc.constantFrom('a', 'b', 'c', 'dir/d', 'dir/%_', 'e\0f');
const pick = fc.nat({ max: 1000 });
const picks = fc.array(pick, { maxLength: 4 });
const length = fc.constantFrom(0, 7, 2 ** 21);
const error: fc.Arbitrary<AppError> = fc.constantFrom(
  { code: 'forbidden', status: 403 },
  { code: 'notAFile' },
  { code: 'connectionLost', doneBytes: 0, expectedBytes: null, outcomeUnknown: true },
);
const seen = fc.oneof(
  fc.constant({ present: false as const }),
  fc.record({ present: fc.constant(true as const), lengthBytes: fc.option(length) }),
);

const upload = fc.record({
  kind: fc.constant('upload' as const),
  path: fc.constant('/a'),
  fileName: fc.constant('a'),
  expected: fc.constant({ sizeBytes: 1, mtimeMs: 2 }),
  modifiedAtMs: fc.constant(2),
  classification: fc.constant(null),
  ifExists: fc.constantFrom('ask' as const, 'skip' as const),
  addedRow: fc.constant(false),
  mayBeThere: fc.boolean(),
});
const work: fc.Arbitrary<Work> = fc.oneof(
  { weight: 3, arbitrary: upload },
  { weight: 1, arbitrary: upload.map((asked) => ({ ...asked, isWatched: true as const })) },
  { weight: 3, arbitrary: fc.constant({ kind: 'download' as const, saveAsPath: null }) },
  { weight: 3, arbitrary: fc.constant({ kind: 'delete' as const }) },
  fc.constant({ kind: 'storeSecret' as const, classification: null, sourceName: null, addedRow: false }),
);
const given = fc.record({
  work,
  identifier,
  origin,
  isDirect: fc.boolean(),
  totalBytes: fc.option(length),
  priority: fc.constantFrom(...prioritySchema.options),
  isPaused: fc.constantFrom(false, false, false, true),
  object: pick,
});
const state: fc.Arbitrary<State> = fc.oneof(
  fc.constantFrom<State>(
    { name: 'waiting' },
    { name: 'waiting' },
    { name: 'asking', seen: { present: false } },
    { name: 'sending' },
    { name: 'unsure', goal: 'goOn', looks: 1, error: null },
    { name: 'done', outcome: { kind: 'skipped' }, savedPath: null },
    { name: 'lost', error: null },
    { name: 'cancelled' },
  ),
  error.map((each): State => ({ name: 'failed', error: each })),
);
const skipped = fc.record({ kind: fc.constant('skipped' as const), seen });
const remove = fc.constant({ kind: 'remove' as const });
const former = fc.oneof(skipped, remove);
const rowChange = fc.oneof(
  fc.record({ kind: fc.constant('stored' as const), lengthBytes: fc.option(length) }),
  fc.record({ kind: fc.constant('seen' as const), seen, isLate: fc.boolean() }),
  fc.record({
    kind: fc.constant('found' as const),
    lengthBytes: fc.option(length),
    sentBytes: fc.option(length),
    isLate: fc.boolean(),
  }),
  fc.record({
    kind: fc.constant('downloaded' as const),
    isFresh: fc.boolean(),
    isLate: fc.boolean(),
    lengthBytes: length,
  }),
  fc.record({
    kind: fc.constant('release' as const),
    state: fc.constantFrom('failed' as const, 'unknown' as const),
  }),
  remove,
  skipped,
  fc.record({
    kind: fc.constant('deleted' as const),
    state: fc.constantFrom('gone' as const, 'missing' as const, 'unknown' as const, null),
  }),
  fc.constant({ kind: 'note' as const }),
);
const change = fc.record(
  {
    state,
    trouble: fc.option(error),
    nextDelayMs: fc.option(fc.constantFrom(5, 50)),
    activityToken: fc.constantFrom(null, 'token'),
  },
  { requiredKeys: [] },
);
const which = fc.oneof(
  fc.constantFrom({ kind: 'all' as const }, { kind: 'all' as const, tab: 'jobs' as const }),
  serviceId.map((id) => ({ kind: 'service' as const, serviceId: id })),
  picks.map((found) => ({ kind: 'picks' as const, picks: found })),
  fc.record({ kind: fc.constant('batch' as const), batch: fc.integer({ min: 1, max: 4 }) }),
  fc.record({
    kind: fc.constant('cause' as const),
    serviceId,
    group: fc.constantFrom('waiting' as const, 'needsYou' as const),
    code: fc.constantFrom('forbidden', 'notAFile'),
  }),
);

const transition = fc.record({ pick, change, row: fc.option(rowChange), keepsClaim: fc.boolean() });

export const command = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('enqueue' as const),
      serviceId,
      given: fc.array(given, { minLength: 1, maxLength: 5 }),
      /** In a new batch, in the last one, or in none. */
      batch: fc.constantFrom('new' as const, 'last' as const, null),
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('claim' as const),
      serviceId,
      queue: fc.constantFrom(
        'large' as const,
        'small' as const,
        'start' as const,
        'delete' as const,
        'small' as const,
      ),
      limit: fc.constantFrom(1, 3, 64),
      includesIdle: fc.boolean(),
      origin,
    }),
  },
  {
    weight: 10,
    arbitrary: fc.record({
      do: fc.constant('apply' as const),
      changes: fc.array(transition, { minLength: 1, maxLength: 3 }),
    }),
  },
  fc.record({ do: fc.constant('unclaim' as const), picks }),
  { weight: 2, arbitrary: fc.record({ do: fc.constant('cancel' as const), which }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('retry' as const), which, origin: fc.option(origin) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('editAndRetry' as const),
      pick,
      change: fc.oneof(
        fc.record({ identifier, classification: fc.constantFrom(null, 'internal') }),
        fc.constant({ file: { path: '/other', fileName: 'other', sizeBytes: 7_000_000, mtimeMs: 2 } }),
      ),
      origin: fc.option(origin),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('drop' as const), which }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('pause' as const), which, isPaused: fc.boolean() }) },
  fc.record({ do: fc.constant('retryNow' as const), which }),
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('move' as const),
      picks,
      before: fc.oneof(pick, fc.constant('top' as const), fc.constant(null)),
    }),
  },
  fc.record({
    do: fc.constant('setPriority' as const),
    which,
    priority: fc.constantFrom(...prioritySchema.options),
  }),
  fc.record({ do: fc.constant('clearBatch' as const), batch: fc.integer({ min: 1, max: 4 }) }),
  fc.record({
    do: fc.constant('answer' as const),
    serviceId,
    ids: fc.oneof(picks, fc.constantFrom('all' as const, 'allWatched' as const)),
    answer: fc.constantFrom('skip' as const, 'keepBoth' as const),
  }),
  fc.record({
    do: fc.constant('clear' as const),
    tab: fc.constantFrom(...tabs),
    group: fc.constantFrom('done' as const, 'needsYou' as const),
  }),
  fc.record({
    do: fc.constant('trim' as const),
    most: fc.constantFrom(0, 3, 100),
    agoMs: fc.constantFrom(10, 1000),
  }),
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('update' as const),
      pick,
      state: fc.constantFrom(...objectStateSchema.options),
      note: fc.constantFrom('', 'n'),
    }),
  },
  fc.record({ do: fc.constant('remove' as const), pick }),
  fc.record({ do: fc.constant('takeIdentifier' as const), pick, identifier, former }),
  fc.record({ do: fc.constant('takeVersion' as const), pick, identifier, isLate: fc.boolean() }),
  fc.record({ do: fc.constant('removeService' as const), serviceId }),
  fc.record({ do: fc.constant('reopen' as const) }),
  fc.record({ do: fc.constant('settle' as const) }),
  // -86,400,000: a clock that was a day fast is corrected.
  fc.record({ do: fc.constant('tick' as const), ms: fc.constantFrom(1, 10, 100, -86_400_000) }),
);
export type Command = typeof command extends fc.Arbitrary<infer C> ? C : never;
type Of<A> = A extends fc.Arbitrary<infer T> ? T : never;
export type Given = Of<typeof given>;
export type GivenRowChange = Of<typeof rowChange>;
export type GivenWhich = Of<typeof which>;
export type GivenTransition = Of<typeof transition>;
