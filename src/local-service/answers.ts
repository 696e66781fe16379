import type { Readable } from 'node:stream';
import type { LocalStartProblem } from '../shared/domain/local-start.ts';

/** What a request is answered with. */
export type Answer = {
  /** 200 if omitted. */
  status?: number;
  headers?: Readonly<Record<string, string | number>>;
  body?: string | Readable;
};

export const json = (value: unknown): Answer => jsonText(JSON.stringify(value));
export const jsonText = (body: string): Answer => ({ headers: { 'content-type': 'application/json' }, body });

/** The JSON operation result body (section 2 of the interface). */
export type OperationResult = {
  success: boolean;
  status: number;
  message: string;
  activityToken: string;
};

export function succeed(message: string, activityToken: string): OperationResult {
  return { success: true, status: 200, message, activityToken };
}

export function fail(status: number, message: string, activityToken: string): OperationResult {
  return { success: false, status, message, activityToken };
}

export const conflictMessage = 'The object identifier already exists in the metadata store.';
export const missingMessage = 'The object identifier is not in the metadata store.';

/** Ends a request with a status of section 7. The error's message becomes the answer's `message`. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly status: 400 | 401 | 404 | 409 | 413 | 429;

  constructor(status: Refusal['status'], message: string) {
    super(message);
    this.status = status;
  }
}

/** Why the service cannot start, in words for a person, without paths or tokens. */
export class StartProblem extends Error {
  override readonly name = 'StartProblem';
  readonly problem: LocalStartProblem;

  constructor(message: string, options?: ErrorOptions & { problem?: LocalStartProblem }) {
    super(message, options);
    this.problem = options?.problem ?? 'unknown';
  }
}
