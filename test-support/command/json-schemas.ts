import { z } from 'zod';
import { objectKindSchema, objectStateSchema } from '../../src/shared/domain/object.ts';
import { renewBySchema } from '../../src/shared/domain/secret.ts';
import { directionSchema, transferStateSchema, waitingForSchema } from '../../src/shared/domain/transfer.ts';
import { connectionStateSchema } from '../../src/shared/domain/service.ts';
import { watchChoicesSchema, watchedFolderSchema } from '../../src/shared/domain/watch.ts';

/* The promises of docs/command-line.md for `--json`: each line matches one of these schemas, without other fields. */

const atSchema = z.iso.datetime().nullable();
const digestSchema = z.string().regex(/^[0-9a-f]{64}$/);
const countSchema = z.number().int().nonnegative();

const failuresSchema = z.array(z.strictObject({ identifier: z.string(), error: z.string() }));

const objectSchema = z.strictObject({
  identifier: z.string(),
  kind: objectKindSchema,
  state: objectStateSchema,
  lengthBytes: countSchema.nullable(),
  sha256: digestSchema.nullable(),
  classification: z.string().nullable(),
  stored: atSchema,
  checked: atSchema,
  note: z.string(),
  renewBy: renewBySchema.nullable(),
  unseen: z.array(z.enum(['presence', 'length', 'digest'])),
  storedBy: z.string().nullable(),
});

const lineSchemas = {
  object: objectSchema,
  version: objectSchema.extend({ number: countSchema }),
  transfer: z.strictObject({
    id: countSchema,
    direction: directionSchema,
    identifier: z.string(),
    state: transferStateSchema.exclude(['unsure', 'ready', 'lost']),
    waitingFor: waitingForSchema.nullable(),
    doneBytes: countSchema,
    totalBytes: countSchema.nullable(),
    error: z.string().nullable(),
    outcome: z.enum(['stored', 'saved', 'skipped']).nullable(),
    fileName: z.string().nullable(),
    path: z.string().startsWith('/').nullable(),
    sha256: digestSchema.optional(),
    batch: countSchema.optional(),
  }),
  planned: z.strictObject({
    action: z.enum(['put', 'get', 'rm']),
    identifier: z.string(),
    path: z.string().optional(),
  }),
  difference: z.strictObject({
    identifier: z.string(),
    comparison: z.enum(['absent', 'differs', 'unknown', 'noFile']),
  }),
  compared: z.strictObject({
    same: countSchema,
    different: countSchema,
    absent: countSchema,
    noFile: countSchema,
  }),
  synced: z.strictObject({
    stored: countSchema,
    unchanged: countSchema,
    deleted: countSchema,
    requested: countSchema,
    kept: countSchema,
    failed: countSchema,
  }),
  problem: z.strictObject({ fileName: z.string(), problem: z.string() }),
  watched: watchChoicesSchema.omit({ settleSeconds: true }).extend({
    name: z.string(),
    folder: z.string(),
    settle: countSchema,
    state: watchedFolderSchema.shape.state,
    uploads: countSchema,
    lastUpload: atSchema,
    settling: countSchema,
    skipped: countSchema,
    error: z.string().nullable(),
  }),
  service: z.strictObject({
    name: z.string(),
    address: z.string(),
    connection: connectionStateSchema.exclude(['checking']).nullable(),
    isActive: z.boolean(),
  }),
  added: z.strictObject({ name: z.string(), address: z.string(), checked: z.boolean() }),
  changed: z.strictObject({ name: z.string(), address: z.string() }),
  removed: z.strictObject({ name: z.string(), address: z.string(), listForgotten: z.boolean() }),
  tested: z.strictObject({ name: z.string(), connection: connectionStateSchema }),
  deleted: z.strictObject({
    deleted: countSchema,
    requested: countSchema,
    leftOut: countSchema,
    failed: countSchema,
    failures: failuresSchema,
  }),
  known: z.strictObject({
    added: countSchema,
    listed: countSchema,
    missing: countSchema,
    failed: countSchema,
    failures: failuresSchema,
  }),
  exported: z.strictObject({ fileName: z.string(), count: countSchema }),
  imported: z.strictObject({
    added: countSchema,
    merged: countSchema,
    unchanged: countSchema,
    skipped: countSchema,
    separator: z.enum([',', ';', '\t']).nullable(),
    problems: z.array(z.strictObject({ line: countSchema, problem: z.string() })),
  }),
  value: z.strictObject({
    identifier: z.string(),
    encoding: z.enum(['utf8', 'base64']),
    value: z.string(),
  }),
  copied: z.strictObject({ identifier: z.string(), clears: atSchema }),
  injected: z.strictObject({ path: z.string(), secrets: countSchema }),
  ownVersion: z.strictObject({ version: z.string() }),
  joinedTeam: z.strictObject({ service: z.string(), list: z.string(), as: z.string() }),
  signedInToTeam: z.strictObject({ service: z.string(), signedIn: z.literal(true) }),
  teamStatus: z.strictObject({
    service: z.string(),
    list: z.string().nullable(),
    state: z.enum(['none', 'off', 'filling', 'live', 'asOf', 'refused']),
    asOf: atSchema,
    why: z.string().nullable(),
    due: countSchema,
    setAside: countSchema,
    keptApart: countSchema,
  }),
  syncedTeam: z.strictObject({ service: z.string(), due: countSchema, setAside: countSchema }),
  leftTeam: z.strictObject({ service: z.string(), list: z.string() }),
  person: z.strictObject({
    number: countSchema,
    name: z.string(),
    isYou: z.boolean(),
    isEnded: z.boolean(),
  }),
  area: z.strictObject({
    area: countSchema,
    folder: z.string(),
    classification: z.string().nullable(),
    objects: countSchema,
    access: z.array(
      z.strictObject({
        number: countSchema,
        name: z.string(),
        may: z.enum(['read', 'contribute', 'curate']),
      }),
    ),
  }),
  areaChange: z.strictObject({ area: countSchema, change: z.enum(['made', 'removed']) }),
  granted: z.strictObject({
    number: countSchema,
    name: z.string(),
    area: countSchema,
    may: z.enum(['none', 'read', 'contribute', 'curate']),
  }),
  ended: z.strictObject({
    number: countSchema,
    name: z.string(),
    isEnded: z.boolean(),
    left: z.array(z.enum(['login', 'connections'])),
  }),
  shares: z.strictObject({ secrets: z.boolean(), notes: z.boolean(), fileNames: z.boolean() }),
  teamCompared: z.strictObject({ list: z.string(), change: z.literal('compared') }),
  invitation: z.strictObject({
    invitation: z.string().startsWith('coffer-team:'),
    hasPassword: z.boolean(),
    isRenewed: z.boolean(),
  }),
  script: z.strictObject({ shell: z.enum(['bash', 'zsh', 'fish', 'pwsh']), script: z.string() }),
  report: z.strictObject({ path: z.string().nullable(), report: z.string().nullable() }),
  finding: z.strictObject({
    check: z.enum([
      'node',
      'dataFolder',
      'disk',
      'app',
      'keychain',
      'proxy',
      'service',
      'leftParts',
      'unknownFiles',
    ]),
    ok: z.boolean(),
    text: z.string(),
    files: z.array(z.string()).optional(),
  }),
};
const lineSchema = z.union(Object.values(lineSchemas));

/** @throws if a line is not JSON, or matches none of them */
export function checkLines(text: string): void {
  for (const line of text.trimEnd().split('\n')) if (line !== '') lineSchema.parse(JSON.parse(line));
}
