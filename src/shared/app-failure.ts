// Apart from errors.ts: `coffer`, which validates nothing, starts without loading the schemas there.
import type { AppError } from './errors.ts';

/** The only exception thrown on purpose. Any other is a bug, and reaches the window as `unexpected`. */
export class AppFailure extends Error {
  override readonly name = 'AppFailure';
  readonly error: AppError;

  constructor(error: AppError, options?: ErrorOptions) {
    super(error.code, options);
    this.error = error;
  }
}

/** The AppError of an exception; undefined if it was not thrown on purpose. */
export function toAppError(cause: unknown): AppError | undefined {
  return cause instanceof AppFailure ? cause.error : undefined;
}
