import { Session } from 'node:inspector/promises';
import { writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { closeReaders } from '../main/local-files/small-files.ts';
import { startInMemory } from '../../test-support/command/in-process.ts';
import { startTestService, testToken } from '../../test-support/local-service/test-service.ts';
import { makeTestFolder } from '../../test-support/main/test-ports.ts';

const optional = /^src\/main\/(?:agent|approvals|edits|report|team|updates|watch|objects\/team)\//;

/** Named functions of `src` that main's thread has called since the last time, `path name offset`, and how often. */
async function openCalls() {
  const session = new Session();
  session.connect();
  onTestFinished(() => session.disconnect());
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  return async () => {
    const { result } = await session.post('Profiler.takePreciseCoverage');
    const calls = new Map<string, number>();
    for (const { url, functions } of result) {
      if (!/\/src\/(?:main|shared|command)\//.test(url) || /\.test\.ts/.test(url)) continue;
      const path = relative(
        process.cwd(),
        url.startsWith('file:') ? fileURLToPath(url.split('?')[0] ?? '') : url,
      );
      for (const { functionName, ranges } of functions) {
        const count = ranges[0]?.count ?? 0;
        const name = `${path} ${functionName} ${ranges[0]?.startOffset}`;
        if (count > 0 && functionName !== '') calls.set(name, (calls.get(name) ?? 0) + count);
      }
    }
    return calls;
  };
}

/** As measured. They may only fall: write down the new ones, with room for what depends on the moment. */
const most = { files: 94, functions: 332 };

test('few functions run for each further file of a put, and none of optional features', async () => {
  const folder = await makeTestFolder();
  const { service } = await startTestService();
  const { PATH } = process.env;
  const env = { PATH, HOME: folder, COFFER_ADDRESS: service.baseAddress, COFFER_TOKEN: testToken };
  const take = await openCalls();
  async function put(count: number, begin: string) {
    const names = Array.from({ length: count }, (_, index) => `${begin}-${index}.bin`);
    for (const name of names) writeFileSync(join(folder, name), Buffer.alloc(8000, name));
    // So that none of these files needs the thread for many, whatever this process has read before.
    await closeReaders();
    await take();
    const running = startInMemory(['put', ...names], { cwd: folder, env });
    running.end();
    expect({ code: await running.ended, stderr: running.stderr() }).toMatchObject({ code: 0 });
    return await take();
  }

  await put(1, 'first');
  let further = null as string[] | null;
  const isFew = () => (further?.length ?? Infinity) <= most.functions;
  // What the clock calls is not called as often in each round; on a busy computer it takes more rounds to tell.
  for (let round = 0; round < 3 || (round < 10 && !isFew()); round += 1) {
    const two = await put(2, `${round}-2`);
    const five = await put(5, `${round}-5`);
    const called = [...five.keys()].filter((name) => (five.get(name) ?? 0) - (two.get(name) ?? 0) >= 3);
    further = further?.filter((name) => called.includes(name)) ?? called;
  }
  const files = new Set(further?.map((name) => name.split(' ')[0] ?? ''));
  expect([...files].filter((file) => optional.test(file))).toEqual([]);
  const counts = { files: files.size, functions: further?.length ?? Infinity };
  expect(counts.files).toBeLessThanOrEqual(most.files);
  expect(counts.functions).toBeLessThanOrEqual(most.functions);
});
