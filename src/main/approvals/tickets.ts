import { randomUUID } from 'node:crypto';
import { basename, join } from 'node:path';
import { proofFolder } from '../../shared/domain/approval.ts';
import { AppFailure } from '../../shared/app-failure.ts';
import { mkdirSync, rmSync, writeFileSync } from '../local-files/fs.ts';

/** Older ones are forgotten: a command uses its own at once. */
const maxTickets = 1000;

export interface Ticket {
  readonly ticket: string;
  /** The name of a file in `proofFolder` that the command is to keep open; null where nobody could look. */
  readonly proof: string | null;
}

/**
 * For commands that are about to ask for secrets. A ticket is told to one connection alone and is good once; the name of the file
 * beside it says nothing of it, so that who sees the file cannot ask in the place of who holds it open.
 */
export function createTickets(userDataFolder: string, hasProof: boolean) {
  const folder = join(userDataFolder, proofFolder);
  const open = new Map<string, string | null>();
  rmSync(folder, { recursive: true, force: true });

  function forget(ticket: string): void {
    const proof = open.get(ticket);
    open.delete(ticket);
    if (proof) rmSync(proof, { force: true });
  }

  return {
    issue(): Ticket {
      const [oldest] = open.keys();
      if (oldest !== undefined && open.size >= maxTickets) forget(oldest);
      const ticket = randomUUID();
      const proof = hasProof ? join(folder, randomUUID()) : null;
      if (proof !== null) {
        mkdirSync(folder, { recursive: true, mode: 0o700 });
        writeFileSync(proof, '', { mode: 0o600, flag: 'wx' });
      }
      open.set(ticket, proof);
      return { ticket, proof: proof === null ? null : basename(proof) };
    },
    /** Uses a ticket up, with what is to be done with its proof. @throws AppFailure approvalRefused (unproven) */
    use<T>(ticket: string, look: (proof: string | null) => T): T {
      const proof = open.get(ticket);
      if (proof === undefined) throw new AppFailure({ code: 'approvalRefused', reason: 'unproven' });
      try {
        return look(proof);
      } finally {
        forget(ticket);
      }
    },
  };
}
