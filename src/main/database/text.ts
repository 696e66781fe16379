/** A private-use character that no real text contains. */
const escape = '\u{10fffe}';

/** `node:sqlite` cuts a text at the first NUL, so NUL is written as two characters. */
export function writeText<T>(value: T): T | string {
  if (typeof value !== 'string' || !(value.includes('\0') || value.includes(escape))) return value;
  return value.replaceAll(escape, `${escape}1`).replaceAll('\0', `${escape}0`);
}

export function readText<T>(value: T): T | string {
  if (typeof value !== 'string' || !value.includes(escape)) return value;
  return value.replaceAll(`${escape}0`, '\0').replaceAll(`${escape}1`, escape);
}
