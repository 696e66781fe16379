import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { commandOf, environment, root } from './tools.js';

/**
 * What Coffer can do without. Deleting the folders and files of one, and its lines in the lists, leaves a Coffer that compiles: nothing
 * else knows it. More may be added, none taken away. What stays of the team's list then are its columns in the database with their
 * thread (`main/objects/team`), and its errors.
 */
const optional = {
  team: ['main/team', 'renderer/features/team', 'shared/contract/team.ts', 'command/team'],
  updates: ['main/updates', 'renderer/features/updates', 'shared/contract/updates.ts'],
  watch: ['main/watch', 'renderer/features/watch', 'shared/contract/watch.ts', 'command/watch'],
};

/** The lists that name them: each on lines of its own. */
const lists = [
  'shared/contract.ts',
  'main/features.ts',
  'renderer/features.ts',
  'command/program/program.ts',
];

const importLine = /^import (?:type )?\{ ([^}]*) \} from '(\.[^']*)';$/;

/** The list without the imports of what is gone, and without the lines with their names and with what those lines declare. */
function withoutGone(folder, file) {
  let lines = readFileSync(join(folder, file), 'utf8').split('\n');
  const isGone = (line) => {
    const [, , path] = importLine.exec(line) ?? [];
    return path !== undefined && !existsSync(join(folder, dirname(file), path));
  };
  const gone = lines.filter(isGone).flatMap((line) => importLine.exec(line)[1].split(', '));
  lines = lines.filter((line) => !isGone(line));
  for (const name of gone) {
    const named = new RegExp(String.raw`^(?!\s*(?://|/?\*)).*(?<!['\w]|\w\.)${name}(?![\w'.])`);
    gone.push(...lines.flatMap((line) => (named.test(line) && /^\s*const (\w+) =/.exec(line)?.[1]) || []));
    lines = lines.filter((line) => !named.test(line));
  }
  return lines.join('\n');
}

/** The messages of the compiler about a Coffer without these rooms, and without tests. */
function complaintsWithout(rooms) {
  const folder = mkdtempSync(join(tmpdir(), 'coffer-without-'));
  try {
    const options = { recursive: true, filter: (path) => !/\.test\.tsx?$/.test(path) };
    cpSync(join(root, 'src'), join(folder, 'src'), options);
    cpSync(join(root, 'tsconfig.base.json'), join(folder, 'tsconfig.base.json'));
    for (const linked of ['node_modules', 'package.json', 'locales'])
      symlinkSync(join(root, linked), join(folder, linked), 'junction');
    for (const room of rooms) rmSync(join(folder, 'src', room), { recursive: true });
    for (const list of lists)
      writeFileSync(join(folder, 'src', list), withoutGone(join(folder, 'src'), list));
    return ['test-support', 'test-support/renderer'].flatMap((project) => compile(folder, project));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Compiles the sources of a project. */
function compile(folder, project) {
  const text = readFileSync(join(root, project, 'tsconfig.json'), 'utf8');
  const { compilerOptions, include } = JSON.parse(text.replaceAll(/^\s*\/\/.*$/gm, ''));
  const nowhere = { rootDir: undefined, outDir: undefined, tsBuildInfoFile: undefined };
  const config = {
    extends: './tsconfig.base.json',
    compilerOptions: {
      ...compilerOptions,
      ...nowhere,
      composite: false,
      emitDeclarationOnly: false,
      noEmit: true,
    },
    include: [...include.filter((path) => /\/src\//.test(path)), 'src/shared/**/*.d.ts'].map((path) =>
      path.replace(/^[./]+/, ''),
    ),
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
  const [program, ...args] = commandOf('tsc', 'typescript');
  const { stdout } = spawnSync(program, [...args, '-p', folder, '--pretty', 'false'], {
    cwd: folder,
    encoding: 'utf8',
    env: environment(),
  });
  return stdout.split('\n').filter((line) => line !== '');
}

test.for(Object.entries(optional))('Coffer compiles without $0', { tags: 'all' }, ([, rooms]) => {
  expect(complaintsWithout(rooms)).toEqual([]);
});
