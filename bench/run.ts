import { readdirSync } from 'node:fs';

/** `npm run bench` lists the measurements, `npm run bench -- NAME` runs one; each is a file beside this one. */
const names = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith('.ts') && file !== 'run.ts')
  .map((file) => file.slice(0, -'.ts'.length));
const [name, ...rest] = process.argv.slice(2);

if (name === undefined) {
  console.log(`npm run bench -- NAME\n\n${names.map((each) => `  ${each}`).join('\n')}`);
} else if (names.includes(name)) {
  const bench = (await import(`./${name}.ts`)) as { run(args: string[]): Promise<void> };
  await bench.run(rest);
} else {
  console.error(`There is no "${name}". There are: ${names.join(', ')}`);
  process.exitCode = 1;
}
