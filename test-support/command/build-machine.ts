import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { startFaultServer, type FaultServer } from '../../e2e/faults/fault-server.ts';
import { createQuickClock, makeTestFolder } from '../main/test-ports.ts';
import '../main/retain-file-workers.ts';
import { startInMemory } from './in-process.ts';
import type { Ended } from './process-world.ts';

export const oldBytes = (name: string) => `the old bytes of ${name}`;
export const newBytes = (name: string) => `the new bytes of ${name}`;

export interface BuildMachine {
  readonly service: FaultServer;
  readonly run: { readonly cwd: string; readonly env: NodeJS.ProcessEnv };
  /** Folders that commands left in the temporary folder, absolute. */
  left(): string[];
  /** At the service. */
  bytesOf(name: string): string | undefined;
  /** Runs a command in this process, with a clock 100 times as fast. */
  coffer(words: readonly string[], env?: NodeJS.ProcessEnv): Promise<Ended>;
}

/** A machine with COFFER_ADDRESS and COFFER_TOKEN. The service has `names` with their old bytes, its files are the new ones. */
export async function openBuildMachine(...names: string[]): Promise<BuildMachine> {
  const cwd = await makeTestFolder();
  const temporary = join(cwd, 'tmp');
  mkdirSync(temporary);
  const service = await startFaultServer();
  onTestFinished(() => service.close());
  for (const name of names) {
    service.objects.set(name, { bytes: Buffer.from(oldBytes(name)), classification: null });
    writeFileSync(join(cwd, name), newBytes(name));
  }
  const { PATH } = process.env;
  const env = {
    PATH,
    HOME: cwd,
    TMPDIR: temporary,
    COFFER_ADDRESS: service.baseAddress,
    COFFER_TOKEN: service.token,
  };
  return {
    service,
    run: { cwd, env },
    left: () =>
      readdirSync(temporary)
        .filter((name) => name.startsWith('coffer-command-'))
        .map((name) => join(temporary, name)),
    bytesOf: (name) => service.objects.get(name)?.bytes.toString(),
    async coffer(words, more = {}) {
      const running = startInMemory(words, { cwd, env: { ...env, ...more }, clock: createQuickClock(100) });
      running.end();
      const code = await running.ended;
      return { code, stdout: running.stdout(), stderr: running.stderr() };
    },
  };
}
