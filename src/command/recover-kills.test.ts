import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { newBytes, oldBytes, openBuildMachine } from '../../test-support/command/build-machine.ts';
import { startInPipe } from '../../test-support/command/start-command.ts';
import { createRandom } from '../../test-support/random.ts';

/** One seed; COFFER_KILL_SEEDS sets more, starting at COFFER_KILL_FROM (`npm run soak -- --kills`). */
const first = Number(process.env['COFFER_KILL_FROM'] ?? 1);
const count = Number(process.env['COFFER_KILL_SEEDS'] ?? 1);
const seeds = Array.from({ length: count }, (_, index) => first + index);
const names = ['a.txt', 'b.txt', 'c.txt'];

test.skipIf(process.platform === 'win32').each(seeds)(
  'a Replace with COFFER_ADDRESS alone, killed again and again, ends with the old bytes or the new ones: seed %i',
  { tags: 'all' },
  async (seed) => {
    const random = createRandom(seed);
    const machine = await openBuildMachine(...names);
    const { service, run } = machine;
    let words = ['put', ...names, '--if-exists', 'replace'];
    for (let kills = 0; kills < 3; kills += 1) {
      const running = startInPipe(words, run);
      await Promise.race([running.ended, setTimeout(300 + random() * 2500)]);
      running.kill('SIGKILL');
      await running.ended;
      const [left] = machine.left();
      if (left !== undefined) words = ['recover', left];
    }
    // Whether a killed command has left anything depends on the moment of the kill.
    for (const left of machine.left()) await machine.coffer(['recover', left]);
    expect([...service.objects.keys()].toSorted()).toEqual(names);
    for (const name of names) expect([oldBytes(name), newBytes(name)]).toContain(machine.bytesOf(name));
  },
);
