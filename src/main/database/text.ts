/** A character that no text has but by mistake. */
const escape = '\u{10fffe}';

/** SQLite's texts end for `node:sqlite` at the first NUL, so it is written as two characters. */
export function writeText<T>(value: T): T | string {
  if (typeof value !== 'string' || !(value.includes('\0') || value.includes(escape))) return value;
  return value.replaceAll(escape, `${escape}1`).replaceAll('\0', `${escape}0`);
}

export function readText<T>(value: T): T | string {
  if (typeof value !== 'string' || !value.includes(escape)) return value;
  return value.replaceAll(`${escape}0`, '\0').replaceAll(`${escape}1`, escape);
}
