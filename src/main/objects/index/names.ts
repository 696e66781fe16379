/** Above this, names are sorted by code units: the language's order would be noticeably slow. */
export const collatedMax = 5000;

const names = new Intl.Collator('en', { numeric: true });

/** Compares names as a person sorts them (`2` before `10`). @param count number of names to sort */
export function byName(count: number): (a: { name: string }, b: { name: string }) => number {
  if (count > collatedMax) return (a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0);
  return (a, b) => names.compare(a.name, b.name);
}
