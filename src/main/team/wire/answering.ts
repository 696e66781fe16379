import pg from 'pg';
import { z } from 'zod';
import { toAppError } from '../../../shared/app-failure.ts';
import { isLocalNetworkFailure } from '../../service/local-network.ts';
import { clientCertificateProblemOf, trustProblemOf } from '../../service/tls-problems.ts';
import { type ProblemWhy, TeamFailure, type TeamProblem } from '../team-problem.ts';

/** By SQLSTATE, or its first three or two characters; the longest match wins. */
const whyBySqlState: Readonly<Record<string, ProblemWhy>> = {
  '08': 'closed',
  '21': 'badChange',
  '22': 'badChange',
  '23': 'badChange',
  '25006': 'readOnly',
  '28': 'login',
  '3D': 'noTeam',
  '3F': 'noTeam',
  '42501': 'noAccess',
  '42883': 'newer',
  '42P01': 'noTeam',
  '53': 'full',
  '53300': 'busy',
  '55000': 'otherCopy',
  '55P03': 'locked',
  '57P': 'closed',
};

const whyOfSqlState = (code: string): ProblemWhy =>
  whyBySqlState[code] ?? whyBySqlState[code.slice(0, 3)] ?? whyBySqlState[code.slice(0, 2)] ?? 'fault';

/** @param cause of a call of pg or of Node */
export function problemOf(cause: unknown): TeamProblem {
  if (cause instanceof TeamFailure) return cause.problem;
  if (!(cause instanceof Error)) return { why: 'broken', code: '' };
  const given = 'code' in cause && typeof cause.code === 'string' ? cause.code : '';
  const code = /^\w{1,60}$/.test(given) ? given : '';
  return { why: cause instanceof pg.DatabaseError ? whyOfSqlState(code) : whyOfSystem(cause, code), code };
}

function whyOfSystem(cause: Error, code: string): ProblemWhy {
  const files = toAppError(cause)?.code;
  if (files === 'badAuthorityFile' || trustProblemOf(code) !== undefined) return 'certificate';
  if (files === 'badClientCertificate' || clientCertificateProblemOf(code) !== undefined)
    return 'clientCertificate';
  if (code === 'EPROTO' || /^ERR_(SSL|TLS)_/.test(code)) return 'encryption';
  if (/^(ECONNRESET|EPIPE)$/.test(code)) return 'closed';
  if (isLocalNetworkFailure(cause)) return 'localNetwork';
  if (code !== '') return 'unreachable';
  // pg's own errors have no code.
  if (cause.message.startsWith('SASL')) return 'unsafeLogin';
  if (/SSL connection/.test(cause.message)) return 'encryption';
  return 'closed';
}

export type Answer<T> = { readonly value: T } | { readonly problem: TeamProblem };

/** Returns problems as values, because errors do not cross threads. */
export function answering<Args extends unknown[], T>(
  work: (...args: Args) => Promise<T>,
): (...args: Args) => Promise<Answer<T>> {
  return async (...args) => {
    try {
      return { value: await work(...args) };
    } catch (cause) {
      const isUnreadable = cause instanceof z.ZodError || cause instanceof SyntaxError;
      return { problem: isUnreadable ? { why: 'broken', code: '' } : problemOf(cause) };
    }
  };
}
