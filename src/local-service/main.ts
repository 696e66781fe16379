import { explainFailure, readArguments, usage } from './arguments.ts';
import { readOrCreateMasterKey } from './master-key-file.ts';
import { startLocalService } from './service.ts';

async function run(): Promise<void> {
  const given = await readArguments(process.argv.slice(2), process.env);
  if (given === undefined) {
    console.log(usage);
    return;
  }
  const { isTokenNew, ...options } = given;
  const masterKey = await readOrCreateMasterKey(options.dataFolder);
  const service = await startLocalService({ ...options, masterKey });

  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void service.close());
  if (service.setAside !== null) {
    console.log(`The metadata was missing or damaged. What was stored before lies in ${service.setAside}.`);
  }
  if (isTokenNew) console.log(`Access token (shown once): ${options.token}`);
  console.log(`Listening on ${service.baseAddress}`);
}

try {
  await run();
} catch (cause) {
  console.error(explainFailure(cause));
  process.exitCode = 1;
}
