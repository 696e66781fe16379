import type { Readable, Writable } from 'node:stream';
import type { Clock, SecretStore } from '../../main/ports.ts';

export type InputStream = Readable & {
  readonly isTTY?: boolean;
  setRawMode?(isRaw: boolean): unknown;
};

export type OutputStream = Writable & {
  readonly isTTY?: boolean;
  /** Set only for a terminal. */
  readonly columns?: number;
};

/** The terminal that a command was started on. */
export interface TerminalStreams {
  readonly input: InputStream;
  readonly output: OutputStream;
  /** The command opened these streams itself and must close them. */
  readonly isOurs: boolean;
}

/** Longer than the app's limit: the app retries the keychain later, but a command would give up. */
export const keychainMs = 10_000;

/** Node has put U+FFFD in the place of bytes that are not UTF-8. */
export interface Misread {
  /** Indices of arguments. */
  readonly args: readonly number[];
  /** Names of variables. */
  readonly variables: readonly string[];
}

/**
 * Everything a command uses of its process. `index.ts` passes the real one; tests run several commands in one process with their
 * own. Only `index.ts` and `process-io.ts` may use `process`.
 */
export interface CommandIo {
  /** Without the program's name. */
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  /** What of the two above was given in bytes that are not UTF-8; only Linux shows that. */
  misread(): Misread;
  /** Absolute, like the folders below. null: it has been deleted. */
  readonly cwd: string | null;
  /** Makes a path of the command line absolute. @throws Usage if that needs the current folder, and it has been deleted */
  resolve(path: string): string;
  readonly homeFolder: string;
  readonly temporaryFolder: string;
  readonly pid: number;
  readonly platform: NodeJS.Platform;
  readonly nodeVersion: string;
  readonly clock: Clock;
  readonly stdin: InputStream;
  /** Number of bytes left in standard input; null: unknown. Call before reading. */
  stdinBytes(): number | null;
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  /**
   * Closes standard output if it is a file. Call last. @throws what the system reports only now, as network drives and quotas may
   */
  closeStdout(): void;
  /** Standard streams for programs that a command starts. */
  readonly childStdio: 'inherit' | 'ignore';
  /** @param limitMs timeout of each keychain call */
  openKeychain(limitMs: number): Promise<SecretStore>;
  /** null: the command has no terminal. */
  openTerminal(): TerminalStreams | null;
  /** Whether this command is in its terminal's foreground, so that Ctrl+C reaches the programs it starts as well. */
  isInForeground(): boolean;
  /** Signals that were ignored when the command was started, by `nohup` for example. They stay ignored. */
  readonly ignoredSignals: readonly NodeJS.Signals[];
  /** Returns a function that removes the listener. Does nothing for a signal of `ignoredSignals`. */
  onSignal(signal: NodeJS.Signals, listener: (signal: NodeJS.Signals) => void): () => void;
  /** Raises SIGINT. In raw mode the terminal does not do so on Ctrl+C. */
  interrupt(): void;
}
