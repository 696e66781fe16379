import type { Statements } from '../../database/statements.ts';
import type { ObjectWriter } from '../../objects/object-writer.ts';
import { stateCodes } from '../store/codes.ts';
import { createCountedTime, longestStepMs } from './counted-time.ts';
import type { UndoRole, UndoCopy, UndoStore } from './undo-store.ts';

const roles: readonly UndoRole[] = ['old', 'new'];
const columns = `file, (SELECT service_id FROM service p WHERE p.id = service), identifier, classification, source_name,
  length_bytes, sha256, kept_at_ms, until_ms, replaced_by, replaced_by_bytes, origin`;
type Values = [
  file: string,
  serviceId: string,
  identifier: string,
  classification: string | null,
  sourceName: string | null,
  lengthBytes: number,
  sha256: string,
  keptAtMs: number,
  untilMs: number,
  replacedBy: string | null,
  replacedByBytes: number | null,
  origin: string,
];
const ended = [stateCodes.code('done'), stateCodes.code('cancelled')].join();
/** A third role: no longer needed. Its file is removed first, then its row. */
const going = 2;
const isKept = `role <> ${going}`;
/** A version: whole, and of no transfer. */
const isVersion = `transfer IS NULL AND sha256 IS NOT NULL AND ${isKept}`;
/**
 * Belongs to no transfer, and no unfinished Undo but the given one restores it: that needs a manifest's parts too.
 */
const isFreeBut = (transfer: '?' | 'NULL') => `transfer IS NULL AND NOT EXISTS (SELECT 1 FROM transfer t
  WHERE t.restores = kept.file AND t.id IS NOT ${transfer} AND t.state NOT IN (${ended}))`;
const isFree = isFreeBut('NULL');

export function createLocalUndoStore(
  { rows }: Statements,
  writer: ObjectWriter,
  nowMs: () => number,
): UndoStore {
  const time = createCountedTime(rows, nowMs);

  function find(condition: string, ...values: Parameters<Statements['rows']>[1][]): UndoCopy[] {
    const lagMs = nowMs() - time.nowMs();
    return rows<Values>(`SELECT ${columns} FROM kept WHERE ${condition}`, ...values).map((row) =>
      toRow(row, lagMs),
    );
  }

  function complete(file: string, { lengthBytes, sha256 }: { lengthBytes: number; sha256: string }): void {
    rows('UPDATE kept SET length_bytes = ?, sha256 = ? WHERE file = ?', lengthBytes, sha256, file);
  }

  function remove(condition: string, ...values: Parameters<Statements['rows']>[1][]): UndoCopy[] {
    const found = find(condition, ...values);
    for (const { file } of found)
      rows(`UPDATE kept SET role = ${going}, transfer = NULL WHERE file = ?`, file);
    return found;
  }

  return {
    async add(copy) {
      const { file, serviceId, origin, identifier, classification, sourceName, keepMs } = copy;
      const { transferId, role } = copy;
      writer.transaction(() => {
        const service = writer.rows.ensureService(serviceId);
        rows(
          `INSERT INTO kept (file, service, identifier, classification, source_name, kept_at_ms, until_ms, transfer, role,
             origin)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
          file,
          service,
          identifier,
          classification,
          sourceName,
          nowMs(),
          time.nowMs() + keepMs,
          transferId,
          roles.indexOf(role),
          origin,
        );
      });
    },

    async complete(file, bytes) {
      complete(file, bytes);
    },

    async adopt(file, bytes) {
      complete(file, bytes);
      rows('UPDATE kept SET transfer = NULL WHERE file = ?', file);
    },

    async drop(transferId, role, exceptFile) {
      return remove(
        'transfer = ? AND (? IS NULL OR role = ?) AND file IS NOT ?',
        transferId,
        codeOf(role),
        codeOf(role),
        exceptFile,
      ).map(({ file }) => file);
    },

    async release(transferId, role) {
      const code = codeOf(role);
      rows(
        'UPDATE kept SET transfer = NULL WHERE transfer = ? AND (? IS NULL OR role = ?)',
        transferId,
        code,
        code,
      );
    },

    async finish(transferId, { keepMs, sha256, replacedBy }) {
      return writer.transaction(() => {
        // Copies of an earlier try that were found whole at a start (`adopt`).
        const twice = remove(
          `${isVersion} AND ${isFree} AND replaced_by IS NULL AND (service, identifier, origin, sha256) IN
             (SELECT service, identifier, origin, sha256 FROM kept WHERE transfer = ? AND role = 0)`,
          transferId,
        );
        rows(
          `UPDATE kept SET transfer = NULL, until_ms = ?, replaced_by = ?, replaced_by_bytes = ?
           WHERE transfer = ? AND role = 0 AND sha256 IS NOT NULL`,
          time.nowMs() + keepMs,
          replacedBy.sha256,
          replacedBy.lengthBytes,
          transferId,
        );
        const same = `${isVersion} AND ${isFreeBut('?')} AND sha256 = ?
          AND (service, identifier) IN (SELECT service, identifier FROM kept WHERE transfer = ?)`;
        const gone = [...twice, ...remove(same, transferId, sha256, transferId)];
        return [...gone, ...remove('transfer = ?', transferId)].map(({ file }) => file);
      });
    },

    async get(file) {
      return find(`file = ? AND ${isVersion}`, file)[0] ?? null;
    },

    async has(file) {
      return rows(`SELECT 1 FROM kept WHERE file = ? AND ${isKept}`, file).length > 0;
    },

    async ofObject(serviceId, identifier) {
      const service = writer.rows.service(serviceId);
      if (service === null) return [];
      return find(
        `service = ? AND identifier = ? AND ${isVersion} ORDER BY kept_at_ms DESC, file`,
        service.number,
        identifier,
      );
    },

    async summary() {
      const [row] = rows<[number, number, number, number]>(
        `SELECT total(length_bytes), count(*), total(iif(${isFree}, length_bytes, 0)), total(${isFree})
         FROM kept WHERE sha256 IS NOT NULL AND ${isKept}`,
      );
      const [bytes, count, clearableBytes, clearableCount] = row ?? [0, 0, 0, 0];
      return { bytes, count, clearableBytes, clearableCount };
    },

    async trim(maxBytes) {
      return writer.transaction(() => {
        const gone = remove(`${isFree} AND ${isKept} AND until_ms <= ?`, time.read() - longestStepMs);
        const [sum] = rows<[number]>(`SELECT total(length_bytes) FROM kept WHERE ${isKept}`);
        let tooManyBytes = (sum?.[0] ?? 0) - maxBytes;
        for (const row of tooManyBytes > 0
          ? find(`${isVersion} AND ${isFree} ORDER BY kept_at_ms, file`)
          : []) {
          if (tooManyBytes <= 0) break;
          tooManyBytes -= row.lengthBytes;
          gone.push(...remove('file = ?', row.file));
        }
        return gone;
      });
    },

    async clear() {
      return remove(`${isVersion} AND ${isFree}`);
    },

    async unreplaced(serviceId) {
      const service = writer.rows.service(serviceId);
      if (service === null) return [];
      const condition = `service = ? AND ${isVersion} AND replaced_by IS NULL`;
      return rows<[string]>(
        `SELECT DISTINCT identifier FROM kept WHERE ${condition} ORDER BY identifier`,
        service.number,
      ).map(([identifier]) => identifier);
    },

    async removeService(serviceId) {
      const service = writer.rows.service(serviceId);
      if (service === null) return [];
      return remove('service = ?', service.number).map(({ file }) => file);
    },

    async removed(files) {
      writer.transaction(() => {
        for (const file of files) rows('DELETE FROM kept WHERE file = ?', file);
      });
    },

    async files() {
      return rows<[string]>('SELECT file FROM kept').map(([file]) => file);
    },

    async reconcile() {
      // No transfer continues with these.
      rows(
        `UPDATE kept SET transfer = NULL WHERE transfer NOT IN (SELECT id FROM transfer WHERE state NOT IN (${ended}))`,
      );
      const filesOf = (condition: string) =>
        rows<[string]>(`SELECT file FROM kept WHERE ${condition}`).map(([file]) => file);
      return { going: filesOf(`role = ${going}`), unfinished: filesOf(`sha256 IS NULL AND ${isKept}`) };
    },
  };
}

function codeOf(role: UndoRole | null): number | null {
  return role === null ? null : roles.indexOf(role);
}

/** @param lagMs how far the counted time is behind the wall clock, by which times are shown */
function toRow(values: Values, lagMs: number): UndoCopy {
  return {
    file: values[0],
    serviceId: values[1],
    origin: values[11],
    identifier: values[2],
    classification: values[3],
    sourceName: values[4],
    lengthBytes: values[5],
    sha256: values[6],
    keptAtMs: values[7],
    untilMs: values[8] + lagMs,
    replacedBy:
      values[9] === null || values[10] === null ? null : { sha256: values[9], lengthBytes: values[10] },
  };
}
