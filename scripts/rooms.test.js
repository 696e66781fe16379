import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { expect, test } from 'vitest';

/**
 * Which rooms of `src` each room may import, lowest first: a room is a folder or a file, and a file belongs to the longest
 * room that its path begins with. Every room may also import `shared` and the types of `main/ports.ts`.
 */
const allowed = new Map(Object.entries(JSON.parse(readFileSync('scripts/rooms.json', 'utf8'))));
const forAll = ['shared', 'main/ports.ts'];
const rooms = [...allowed.keys()].toSorted((a, b) => b.length - a.length);

const roomOf = (path) => rooms.find((room) => path === room || path.startsWith(`${room}/`));

/** A file's imports within the project, as paths from the root. */
const importsOf = (file) =>
  [...readFileSync(file, 'utf8').matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+\.tsx?)'/g)].map(
    ([, specifier]) => join(dirname(file), specifier).replaceAll(sep, '/'),
  );

/** Every import from one room to another, `[from, to, file]`. */
const imports = globSync('src/**/*.{ts,tsx}')
  .filter((file) => !/\.test\.tsx?$/.test(file))
  .flatMap((file) => {
    const path = relative('src', file).replaceAll(sep, '/');
    return importsOf(file)
      .map((imported) => roomOf(relative('src', imported).replaceAll(sep, '/')))
      .filter((to) => to !== roomOf(path))
      .map((to) => [roomOf(path), to, path]);
  });

test('every file belongs to a room', () => {
  expect(imports.filter(([from, to]) => from === undefined || to === undefined)).toEqual([]);
});

test('a room imports only what scripts/rooms.json allows it', () => {
  const wrong = imports.filter(([from, to]) => !forAll.includes(to) && !allowed.get(from)?.includes(to));
  expect(wrong.map(([from, to, file]) => `${from} may not import ${to}: ${file}`)).toEqual([]);
});

test('rooms allow only rooms below them, and only what they use', () => {
  const order = [...allowed.keys()];
  const entries = [...allowed].flatMap(([from, list]) => list.map((to) => [from, to]));
  const isUsed = ([from, to]) => imports.some(([a, b]) => a === from && b === to);
  const isBelow = ([from, to]) => order.includes(to) && order.indexOf(to) < order.indexOf(from);
  expect(entries.filter((entry) => !isBelow(entry))).toEqual([]);
  expect(entries.filter((entry) => !isUsed(entry))).toEqual([]);
});

test('the end-to-end tests see Coffer from outside: they import nothing of its main process, window and command', () => {
  const outside = ['src/shared/', 'src/local-service/'];
  const inside = globSync('e2e/**/*.{ts,tsx}').flatMap((file) =>
    importsOf(file).filter(
      (path) => path.startsWith('src/') && !outside.some((room) => path.startsWith(room)),
    ),
  );
  expect(inside).toEqual([]);
});

/** What a file imports when it runs: not its types. */
const loadedBy = (file) =>
  [...readFileSync(file, 'utf8').matchAll(/^(?:import|export) (?!type )[^;]*?from '([^']+)';/gm)].map(
    ([, specifier]) => specifier,
  );

/** Files and packages that are loaded with a file, without what it loads later. */
function loadedWith(file) {
  const [files, packages] = [new Set([file]), new Set()];
  for (const each of files)
    for (const specifier of loadedBy(each))
      if (/^\..*\.tsx?$/.test(specifier)) files.add(join(dirname(each), specifier));
      else packages.add(specifier);
  return { files, packages };
}

test('main starts without the driver of PostgreSQL, which only the thread of a team needs', () => {
  const { files, packages } = loadedWith('src/main/index.ts');
  expect(files.size).toBeGreaterThan(400);
  expect(packages).toContain('undici');
  expect(packages).not.toContain('pg');
});

test('a command without a stored list starts the thread of the list before it loads the engine', () => {
  const { files } = loadedWith('src/command/engine/temporary-engine.ts');
  expect(files).toContain('src/main/storage/open-database.ts');
  expect(files).not.toContain('src/main/app.ts');
});

test('a command without a stored list keeps no log', () => {
  const { packages } = loadedWith('src/command/engine/open-engine.ts');
  expect(packages).toContain('undici');
  expect(packages).not.toContain('pino');
});

test('no rule asks what the whole window contains: each element added anywhere would have all of it styled again', () => {
  const asking = globSync('src/renderer/**/*.css').filter((file) =>
    /(?:^|[\s,}])(?::root|html|body)[^{\s]*:has\(/m.test(readFileSync(file, 'utf8')),
  );
  expect(asking, 'use `useRootClass`').toEqual([]);
});
