import type { Readable, Writable } from 'node:stream';
import type { Clock, SecretStore } from '../main/ports.ts';

export type InputStream = Readable & {
  readonly isTTY?: boolean;
  setRawMode?(isRaw: boolean): unknown;
};

export type OutputStream = Writable & {
  readonly isTTY?: boolean;
  /** Of a terminal. */
  readonly columns?: number;
};

/** The terminal that a command was started on. */
export interface TerminalStreams {
  readonly input: InputStream;
  readonly output: OutputStream;
  /** Opened for this command, which closes them. */
  readonly isOurs: boolean;
}

/**
 * What a command uses of the process it runs in. `index.ts` passes the real one, and tests run commands side by side in one process
 * with their own, so nothing else in this folder may use `process`.
 */
export interface CommandIo {
  /** After the name of the program. */
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  /** Absolute, as are the folders below: paths on the command line are resolved against it. */
  readonly cwd: string;
  readonly homeFolder: string;
  readonly temporaryFolder: string;
  readonly pid: number;
  readonly parentPid: number;
  readonly platform: NodeJS.Platform;
  readonly nodeVersion: string;
  readonly clock: Clock;
  readonly stdin: InputStream;
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  /** What a program that a command starts gets for its own standard streams. */
  readonly childStdio: 'inherit' | 'ignore';
  /** @param limitMs how long each call waits for the keychain */
  openKeychain(limitMs?: number): Promise<SecretStore>;
  /** null: there is none. */
  openTerminal(): TerminalStreams | null;
  /** Whether a terminal has this command in its foreground, and sends Ctrl+C to the programs that it starts as well. */
  isInForeground(): boolean;
  /** Answers what stops it. */
  onSignal(signal: NodeJS.Signals, listener: (signal: NodeJS.Signals) => void): () => void;
  /** As the terminal does on Ctrl+C, for when it is read key by key. */
  interrupt(): void;
}
