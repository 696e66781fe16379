import { dirname, parse, relative, sep } from 'node:path';

/** The innermost folder that contains all of these files; null: none, as on two drives. @param paths absolute, at least one */
export function commonFolder(paths: readonly string[]): string | null {
  const isBelow = (folder: string, path: string) => !relative(folder, path).split(sep).includes('..');
  const [first = '', ...others] = paths.map((path) => dirname(path));
  const { root } = parse(first);
  if (others.some((other) => parse(other).root !== root)) return null;
  return others.reduce((folder, other) => {
    let common = folder;
    while (!isBelow(common, other)) common = dirname(common);
    return common;
  }, first);
}
