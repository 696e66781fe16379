import { exitCodes, type ExitCode } from './exit-code.ts';

/** What was asked for cannot be; said in words, with what to do instead. */
export class Usage extends Error {
  override readonly name = 'Usage';
  readonly exitCode: ExitCode;

  constructor(message: string, exitCode: ExitCode = exitCodes.usage) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** Some of what is needed cannot be had; each has been said. */
export class NotRead extends Error {
  override readonly name = 'NotRead';
  readonly exitCode: ExitCode;

  constructor(exitCode: ExitCode) {
    super('not read');
    this.exitCode = exitCode;
  }
}

/** The service refuses the token, or was away for too long; the message says which. */
export class HeldUp extends Error {
  override readonly name = 'HeldUp';
  readonly exitCode: ExitCode;

  constructor(message: string, exitCode: ExitCode) {
    super(message);
    this.exitCode = exitCode;
  }
}
