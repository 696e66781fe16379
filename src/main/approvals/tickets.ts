import { randomUUID } from 'node:crypto';
import { basename, join } from 'node:path';
import { proofFolder } from '../../shared/domain/approval.ts';
import { AppFailure } from '../../shared/app-failure.ts';
import { type BigIntStats, closeSync, fstatSync, mkdirSync, openSync, rmSync } from '../local-files/fs.ts';

/** The oldest are dropped: a command uses its ticket at once. */
const maxTickets = 1000;

export interface Ticket {
  readonly ticket: string;
  /** The name of a file in `proofFolder` that the command must hold open; null where this cannot be checked. */
  readonly proof: string | null;
}

export interface Proof {
  readonly path: string;
  /** The file as it was created: another one may have this path by now, held open by another process. */
  readonly created: BigIntStats;
}

/**
 * Tickets for commands that are about to ask for secrets. A ticket is known to one connection only and valid once.
 * The name of its file does not reveal it, so a program that sees the file cannot ask in place of the one that holds
 * it open.
 */
export function createTickets(userDataFolder: string, hasProof: boolean) {
  const folder = join(userDataFolder, proofFolder);
  const open = new Map<string, Proof | null>();
  rmSync(folder, { recursive: true, force: true });

  function forget(ticket: string): void {
    const proof = open.get(ticket);
    open.delete(ticket);
    if (proof) rmSync(proof.path, { force: true });
  }

  function createProof(): Proof {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const path = join(folder, randomUUID());
    const file = openSync(path, 'wx', 0o600);
    try {
      return { path, created: fstatSync(file, { bigint: true }) };
    } finally {
      closeSync(file);
    }
  }

  return {
    issue(): Ticket {
      const [oldest] = open.keys();
      if (oldest !== undefined && open.size >= maxTickets) forget(oldest);
      const ticket = randomUUID();
      const proof = hasProof ? createProof() : null;
      open.set(ticket, proof);
      return { ticket, proof: proof === null ? null : basename(proof.path) };
    },
    /** Uses up a ticket and checks its proof. @throws AppFailure approvalRefused (unproven) */
    use<T>(ticket: string, look: (proof: Proof | null) => T): T {
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
