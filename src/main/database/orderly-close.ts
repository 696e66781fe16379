import { join } from 'node:path';
import { z } from 'zod';
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from '../local-files/fs.ts';

const noteName = 'coffer.closed.json';
const noteSchema = z.object({ size: z.string(), mtimeNs: z.string(), ino: z.string() });

/** Records that the last connection has closed in order, with the state of the file. @param path of the database */
export function noteOrderlyClose(folder: string, path: string): void {
  if (existsSync(`${path}-wal`)) return;
  try {
    writeFileSync(join(folder, noteName), JSON.stringify(statsOf(path)), { mode: 0o600 });
  } catch {
    // The next start checks the whole file, as after a kill.
    rmSync(join(folder, noteName), { force: true });
  }
}

/**
 * Whether a database is as an orderly close left it. Then only the disk can have damaged it since, which the checks of
 * the daily copies find. True only once: from now on it is open.
 */
export function takeOrderlyClose(folder: string, path: string): boolean {
  const note = join(folder, noteName);
  try {
    const noted = noteSchema.parse(JSON.parse(readFileSync(note, 'utf8')));
    const stats = statsOf(path);
    const isSame = noted.size === stats.size && noted.mtimeNs === stats.mtimeNs && noted.ino === stats.ino;
    return isSame && !existsSync(`${path}-wal`);
  } catch {
    return false;
  } finally {
    rmSync(note, { force: true });
  }
}

function statsOf(path: string): z.infer<typeof noteSchema> {
  const { size, mtimeNs, ino } = statSync(path, { bigint: true });
  return { size: String(size), mtimeNs: String(mtimeNs), ino: String(ino) };
}
