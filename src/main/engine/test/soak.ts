import { runWorld } from './random-world.ts';

/** `node src/main/engine/test/soak.ts FROM TO [-v]`: worlds from seed FROM to TO; prints those that fail. */
const [from = '1', to = '100', verbose] = process.argv.slice(2);
let failed = 0;
for (let seed = Number(from); seed <= Number(to); seed += 1) {
  const lines: string[] = [];
  try {
    await runWorld(seed, (line) => (verbose ? process.stdout.write(`${line}\n`) : lines.push(line)));
  } catch (cause) {
    failed += 1;
    const text = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
    process.stdout.write(
      `seed ${seed}: ${text
        .split('\n')
        .slice(0, verbose ? 12 : 3)
        .join('\n')}\n`,
    );
  }
}
process.stdout.write(`${Number(to) - Number(from) + 1} worlds, ${failed} failed\n`);
process.exitCode = failed === 0 ? 0 : 1;
