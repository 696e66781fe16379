import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { drawPng, type Color } from './png.ts';

/** Sample data of the pictures: objects of a land surveying office. */

export type SampleObject = {
  identifier: string;
  lengthBytes: number;
  classification: string | null;
  state: 'stored' | 'unknown' | 'missing' | 'gone';
  storedAtMs: number | null;
  checkedAtMs: number | null;
  note?: string;
  bytes?: Uint8Array<ArrayBuffer>;
};

export const classifications = [
  { name: 'Public', description: 'May be shown to anyone' },
  { name: 'Internal', description: 'For everyone at Meridian' },
  { name: 'Confidential', description: 'For the teams that need it' },
  { name: 'Restricted', description: 'For named people only' },
  { name: 'Secret', description: 'The strictest policy there is' },
];

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
const kilo = 1000;
const mega = 1000 * kilo;

export const handoverNotes = `# Handover, site 04

- Ground control: 12 points, signed off
- Flight of 14 July is complete
- Orthophoto, contours: imaging/site-04
- The client has the fact sheet only

Open: the access road, see the MSA
`;

/** A relief with contour lines. */
export const contours = drawPng(480, 300, (x, y) => {
  const height =
    Math.sin(x / 61) * 1.3 +
    Math.cos(y / 47 + x / 190) * 1.1 +
    Math.sin((x + y) / 83) +
    Math.cos(x / 29) * 0.18;
  const step = height * 3;
  const isLine = Math.abs(step - Math.round(step)) < (Math.round(step) % 5 === 0 ? 0.09 : 0.045);
  const shade = (height + 3.5) / 7;
  const color: Color = [196 + 48 * shade, 206 + 36 * shade, 190 + 34 * shade];
  return isLine ? [104, 112, 84] : [Math.round(color[0]), Math.round(color[1]), Math.round(color[2])];
});

/** Newest first. */
export function sampleObjects(nowMs: number): SampleObject[] {
  type Facts = [string, number, string | null, number, number | null, Partial<SampleObject>?];
  const first: Facts[] = [
    ['reports/2026/q2/cash-flow.xlsx', 2.3 * mega, 'Confidential', 8 * minuteMs, 5 * minuteMs],
    ['contracts/halden-msa-signed.pdf', 1.1 * mega, 'Restricted', 52 * minuteMs, 44 * minuteMs],
    ['press/launch-hero.jpg', 6.2 * mega, 'Public', 3 * hourMs, 3 * hourMs],
    ['press/launch-wide.jpg', 8.9 * mega, 'Public', 3.1 * hourMs, 3 * hourMs],
    ['press/fact-sheet.pdf', 412 * kilo, 'Public', 3.2 * hourMs, 3 * hourMs],
    ['reports/2026/q2/headcount.csv', 86 * kilo, 'Restricted', 5 * hourMs, null, { state: 'unknown' }],
    [
      'imaging/site-04/contours.png',
      contours.length,
      'Internal',
      6 * hourMs,
      11 * minuteMs,
      { bytes: contours, note: 'Half-metre lines. Ask Tolvanen before they go to the client.' },
    ],
    ['telemetry/2026/07-14.parquet', 24.6 * mega, 'Internal', 7 * hourMs, 2 * hourMs],
    [
      'handover-notes.md',
      Buffer.byteLength(handoverNotes),
      'Internal',
      1.2 * dayMs,
      dayMs,
      { bytes: Buffer.from(handoverNotes) },
    ],
    [
      'reports/2026/q1/board-pack.pdf',
      36.1 * mega,
      'Confidential',
      2 * dayMs,
      12 * minuteMs,
      { state: 'missing' },
    ],
    ['contracts/tolvanen-nda.pdf', 640 * kilo, 'Secret', 2.1 * dayMs, dayMs],
    ['imaging/site-02/orthophoto.tif', 46.1 * mega, 'Internal', 3 * dayMs, hourMs],
    ['telemetry/2026/07-12.parquet', 23.9 * mega, 'Internal', 3.2 * dayMs, 3 * dayMs],
    ['press/old-logo-pack.zip', 14 * mega, 'Public', 6 * dayMs, minuteMs],
    ['imaging/site-01/point-cloud.laz', 49.2 * mega, 'Internal', 7 * dayMs, 7 * dayMs],
    ['reports/2026/q1/minutes.docx', 1.7 * mega, 'Confidential', 8 * dayMs, null, { state: 'unknown' }],
    ['imaging/site-02/dem-5m.tif', 3.6 * mega, 'Internal', 8.1 * dayMs, 9 * minuteMs],
    ['reports/2026/q1/cash-flow.xlsx', 2.1 * mega, 'Confidential', 9 * dayMs, 9 * dayMs],
    ['README.txt', 4 * kilo, null, 10 * dayMs, 9 * dayMs],
  ];
  return [
    ...first.map(([identifier, lengthBytes, classification, storedAgoMs, checkedAgoMs, more]) => ({
      identifier,
      lengthBytes,
      classification,
      state: 'stored' as const,
      storedAtMs: nowMs - storedAgoMs,
      checkedAtMs: checkedAgoMs === null ? null : nowMs - checkedAgoMs,
      ...more,
    })),
    ...older(nowMs),
  ];
}

/** Older objects that fill the rest of the list. */
function older(nowMs: number): SampleObject[] {
  const kinds = [
    { folder: 'telemetry/2025', count: 365, extension: 'parquet', classification: 'Internal' },
    { folder: 'imaging/site-01', count: 174, extension: 'tif', classification: 'Internal' },
    { folder: 'imaging/site-03', count: 139, extension: 'tif', classification: 'Internal' },
    { folder: 'reports/2025/q3', count: 118, extension: 'pdf', classification: 'Confidential' },
    { folder: 'reports/2025/q4', count: 106, extension: 'pdf', classification: 'Confidential' },
    { folder: 'reports/2026/q1', count: 95, extension: 'xlsx', classification: 'Confidential' },
    { folder: 'contracts', count: 94, extension: 'pdf', classification: 'Restricted' },
    { folder: 'contracts/archive', count: 28, extension: 'pdf', classification: 'Secret' },
    { folder: 'press', count: 142, extension: 'jpg', classification: 'Public' },
  ];
  return kinds.flatMap(({ folder, count, extension, classification }, kind) =>
    Array.from({ length: count }, (_, at) => {
      const storedAtMs = nowMs - (12 + kind * 7 + at * 1.3) * dayMs;
      return {
        identifier: `${folder}/${String(at + 1).padStart(3, '0')}.${extension}`,
        lengthBytes: 40_000 + ((at * 7919 + kind * 104_729) % 31) * 900_000,
        classification,
        state: at % 97 === 96 ? ('gone' as const) : ('stored' as const),
        storedAtMs,
        checkedAtMs: storedAtMs + (at % 3 === 0 ? 9 : 2) * dayMs,
      };
    }),
  );
}

/** Formats the objects as an exported list, for Settings, Import. */
export function asExportedList(objects: readonly SampleObject[]): string {
  const lines = objects.map(({ bytes, ...object }) =>
    JSON.stringify({
      kind: 'data',
      sourceName: object.identifier.split('/').at(-1),
      activityToken: createHash('sha256').update(object.identifier).digest('hex').slice(0, 8),
      ...(bytes && { sha256: createHash('sha256').update(bytes).digest('hex') }),
      ...object,
    }),
  );
  return [JSON.stringify({ cofferCatalogue: 1 }), ...lines, ''].join('\n');
}

/** Makes the list look long in use: imported objects count as checked on this computer. */
export function markAsChecked(userData: string): void {
  const db = new DatabaseSync(join(userData, 'coffer.db'), { timeout: 5_000 });
  db.exec('UPDATE object SET claimed = 0');
  db.close();
}

/** Makes imported objects look as if stored by this computer. */
export function markAsStored(userData: string): void {
  const db = new DatabaseSync(join(userData, 'coffer.db'), { timeout: 5_000 });
  db.exec(`UPDATE object SET claimed = 0, sha256 = lower(hex(randomblob(32)));
    INSERT INTO history (object, at_ms, action) SELECT id, stored_at_ms, 'uploaded' FROM object WHERE stored_at_ms IS NOT NULL`);
  db.close();
}

/** Objects of the folder that is downloaded deferred. */
export function deferredObjects(nowMs: number): SampleObject[] {
  const facts: [string, number][] = [
    ['imaging/site-01/flightlines.laz', 3.1 * mega],
    ['imaging/site-02/hillshade-5m.tif', 3.6 * mega],
    ['imaging/site-03/mosaic-east.tif', 43.2 * mega],
    ['imaging/site-03/mosaic-west.tif', 44 * mega],
    ['imaging/site-03/ortho-north.tif', 43.6 * mega],
    ['imaging/site-03/ortho-south.tif', 4 * mega],
    ['reports/2025/annual-review.pdf', 2.4 * mega],
  ];
  return facts.map(([identifier, lengthBytes], at) => ({
    identifier,
    lengthBytes,
    classification: identifier.startsWith('reports') ? 'Confidential' : 'Internal',
    state: 'stored',
    storedAtMs: nowMs - (2 + at) * dayMs,
    checkedAtMs: nowMs - (5 + at) * hourMs,
    bytes: Buffer.alloc(lengthBytes),
  }));
}

export const passphrase = 'tin otter lantern harbour quill 52';

export function secretObjects(nowMs: number): (SampleObject & { kind: 'secret' })[] {
  type Facts = [string, number, string, number, number | null, SampleObject['state']?, string?];
  const facts: Facts[] = [
    ['api/maps-key', 39, 'Restricted', 6, 5],
    ['api/weather-key', 44, 'Restricted', 6, 5],
    [
      'backups/archive-passphrase',
      passphrase.length,
      'Secret',
      43,
      13,
      'stored',
      'Opens the quarterly backups. Kaisa holds the second copy on paper.',
    ],
    ['certs/edge-2026.key', 1700, 'Secret', 62, 62],
    ['certs/internal-ca.pem', 1900, 'Restricted', 62, 15],
    ['ci/deploy-key', 411, 'Secret', 3, 3],
    ['ci/registry-token', 72, 'Secret', 3, 3],
    ['db/ledger/primary-url', 128, 'Secret', 105, 9],
    ['db/ledger/replica-url', 131, 'Secret', 105, null],
    ['licences/cad-floating.lic', 2200, 'Internal', 188, null, 'unknown'],
    ['mail/smtp-relay', 58, 'Restricted', 143, 134],
    ['signing/release-2025.asc', 3600, 'Secret', 370, 11, 'missing'],
    ['signing/release-2026.asc', 3600, 'Secret', 191, 13],
    ['vpn/site-04.ovpn', 4600, 'Restricted', 15, 14],
    ['wifi/site-04', 63, 'Internal', 15, 14],
  ];
  return facts.map(([identifier, lengthBytes, classification, storedDays, checkedDays, state, note]) => ({
    kind: 'secret',
    identifier,
    lengthBytes,
    classification,
    state: state ?? 'stored',
    storedAtMs: state === 'unknown' ? null : nowMs - storedDays * dayMs,
    checkedAtMs: checkedDays === null ? null : nowMs - checkedDays * dayMs,
    ...(note !== undefined && { note }),
  }));
}
