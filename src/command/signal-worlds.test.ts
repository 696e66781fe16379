import { expect, test } from 'vitest';
import { runSignal } from '../../test-support/command/signal-world.ts';

/** A round of each command; COFFER_SIGNAL_ROUNDS sets others, starting at COFFER_SIGNAL_FROM (`npm run soak -- --signals`). */
const first = Number(process.env['COFFER_SIGNAL_FROM'] ?? 1);
const rounds = Array.from(
  { length: Number(process.env['COFFER_SIGNAL_ROUNDS'] ?? 5) },
  (_, index) => first + index,
);

test.skipIf(process.platform !== 'linux').each(rounds)(
  'whatever signal ends a command with COFFER_ADDRESS alone, what it says is so: round %i',
  { tags: 'all', timeout: 240_000 },
  (round) => expect(runSignal(round)).resolves.toBeUndefined(),
);
