import { expect, test } from 'vitest';
import { runNights } from '../../test-support/command/nightly.ts';

/** One round of two nights. COFFER_NIGHTLY_ROUNDS sets more, of three nights, starting at COFFER_NIGHTLY_FROM (`npm run soak -- --nightly`). */
const first = Number(process.env['COFFER_NIGHTLY_FROM'] ?? 1);
const rounds = Array.from(
  { length: Number(process.env['COFFER_NIGHTLY_ROUNDS'] ?? 1) },
  (_, index) => first + index,
);
const isSoak = process.env['COFFER_NIGHTLY_ROUNDS'] !== undefined;
const hasKeychain = process.platform === 'linux' && process.env['DBUS_SESSION_BUS_ADDRESS'] !== undefined;

test.skipIf(!hasKeychain).each(rounds)(
  'stores a folder every night, whatever happens: round %i',
  { tags: 'all', timeout: isSoak ? 600_000 : 180_000 },
  (round) => expect(runNights(round, isSoak ? 3 : 2)).resolves.toBeUndefined(),
);
