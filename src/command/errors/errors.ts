import { exitCodes, type ExitCode } from './exit-code.ts';

/** A request that cannot be carried out. The message is for people and says what to do instead. */
export class Usage extends Error {
  override readonly name = 'Usage';
  readonly exitCode: ExitCode;

  constructor(message: string, exitCode: ExitCode = exitCodes.usage) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** Something needed could not be read. The errors have been printed already. */
export class NotRead extends Error {
  override readonly name = 'NotRead';
  readonly exitCode: ExitCode;

  constructor(exitCode: ExitCode) {
    super('not read');
    this.exitCode = exitCode;
  }
}

/** The service refuses the token, or was unreachable for too long; the message says which. */
export class HeldUp extends Error {
  override readonly name = 'HeldUp';
  readonly exitCode: ExitCode;

  constructor(message: string, exitCode: ExitCode) {
    super(message);
    this.exitCode = exitCode;
  }
}
