import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NtExecutable } from 'resedit';
import { makeProgram } from '../command/make-program.ts';
import { UnreachableError } from '../command/fetch-node.ts';
import { findNode, hostTarget, isWindows, targets, type Target } from '../command/node-program.ts';
import { expect, root, test } from './fixtures.ts';

/** The first bytes of a program, and its code for the processor: on Windows behind the header for DOS. */
const formats: Readonly<
  Record<Target, readonly [magic: string, processor: readonly [at: number, hex: string]]>
> = {
  'linux-x64': ['7f454c46', [18, '3e00']],
  'linux-arm64': ['7f454c46', [18, 'b700']],
  'win32-x64': ['4d5a', [4, '6486']],
  'win32-arm64': ['4d5a', [4, '64aa']],
  'darwin-x64': ['cffaedfe', [4, '07000001']],
  'darwin-arm64': ['cffaedfe', [4, '0c000001']],
};

for (const target of targets.filter((each) => each !== hostTarget())) {
  test(`the program for ${target} contains the command @all`, async () => {
    test.setTimeout(300_000);
    const missing = await findNode(target).then(
      () => null,
      (cause: unknown) => {
        if (!(cause instanceof UnreachableError)) throw cause;
        return cause.message;
      },
    );
    // The nightly run reaches it.
    test.skip(missing !== null && !process.env['CI'], missing ?? '');
    const folder = mkdtempSync(join(tmpdir(), 'coffer-other-'));
    try {
      await makeProgram(target, folder);
      const program = readFileSync(join(folder, isWindows(target) ? 'coffer.exe' : 'coffer'));
      const module = readFileSync(join(folder, 'keytar.node'));
      const [magic, [at, processor]] = formats[target];
      for (const bytes of [program, module]) {
        expect(bytes.subarray(0, magic.length / 2).toString('hex')).toBe(magic);
        const start = at + (isWindows(target) ? bytes.readUInt32LE(0x3c) : 0);
        expect(bytes.subarray(start, start + processor.length / 2).toString('hex')).toBe(processor);
      }
      // Node only looks for a script in itself if this flag is set.
      expect(program.includes('NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2:1')).toBe(true);
      const options = ['--disable-sigusr1', '--min-semi-space-size=4', '--max-semi-space-size=4'];
      for (const part of ["load('command.cjs');", 'database-worker.cjs', ...options])
        expect(program.includes(part), part).toBe(true);
      // Only the names can identify build folders: Node itself contains /tmp.
      for (const path of [root, 'coffer-program-', 'coffer-other-'])
        expect(program.includes(path), path).toBe(false);
      if (isWindows(target)) {
        const certificates = NtExecutable.from(program, {
          ignoreCert: true,
        }).newHeader.optionalHeaderDataDirectory.get(4);
        expect(certificates.size).toBe(0);
      }
      expect(existsSync(join(folder, 'node-licence.txt'))).toBe(true);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
}
