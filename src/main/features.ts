import type { Handlers } from '../shared/contract.ts';
import { approvals } from './approvals/approvals.ts';
import { createProgramSecrets } from './approvals/program-secrets.ts';
import { bulkOperations } from './bulk-operations/bulk-operations.ts';
import { classifications } from './classifications/classifications.ts';
import { command } from './command-handlers.ts';
import { edits } from './edits/feature.ts';
import { files } from './file-handlers.ts';
import { openHost, type Host, type HostInput } from './host.ts';
import { Started } from './lib/started.ts';
import { objects } from './object-handlers/feature.ts';
import { previewChoices } from './preview/preview-choices.ts';
import { previews } from './preview/preview.ts';
import { renewals } from './secrets/renewals.ts';
import { secrets } from './secrets/secrets.ts';
import { services } from './service-handlers.ts';
import { team } from './team/teams.ts';
import { transfers } from './transfer-handlers.ts';
import { updates } from './updates/updates.ts';
import { uploadPlans } from './upload-plan/upload-plans.ts';
import { versions } from './versions/versions.ts';
import { watch } from './watch/watched-folders.ts';

export type FeatureHandlers = Omit<Handlers, `app.${string}` | 'catalogue.recover'>;

/** What a running Coffer answers, and the signals that its shell gives it. */
export type Features = Awaited<ReturnType<typeof createFeatures>>;

/** Starts all features over an open database. On failure closes everything, including the database. */
export async function createFeatures(input: HostInput) {
  const started = new Started();
  try {
    const features = await startFeatures(await openHost(started, input));
    return { ...features, close: () => started.close() };
  } catch (cause) {
    const { log } = input.ports;
    const failed = (why: unknown) => log.error('what was started did not close in order', { cause: why });
    await started.close().catch(failed);
    throw cause;
  }
}

/**
 * A feature knows the host, and features above it by what they return; none knows this file. They close, and forget a
 * service that is removed, in reverse order.
 */
async function startFeatures(host: Host) {
  const ofPreviewChoices = await previewChoices(host);
  const ofClassifications = await classifications(host);
  const ofBulk = bulkOperations(host);
  const ofApprovals = approvals(host);
  const ofTeam = team(host);
  const ofUploads = uploadPlans(host, ofClassifications);
  const ofWatch = await watch(host);
  const ofEdits = await edits(host);
  const ofPreviews = await previews(host, ofEdits, ofPreviewChoices);
  const ofVersions = versions(host);
  const ofObjects = objects(host, ofEdits, ofClassifications);
  const ofSecrets = secrets(host, ofClassifications);
  const ofCommand = await command(host, ofBulk, ofUploads, ofObjects);
  renewals(host);
  const ofFiles = files(host);
  const ofTransfers = transfers(host);
  const ofServices = services(host, ofBulk);
  const handlers: FeatureHandlers = {
    ...host.handlers,
    ...ofPreviewChoices.handlers,
    ...ofClassifications.handlers,
    ...ofBulk.handlers,
    ...ofApprovals.handlers,
    ...ofTeam,
    ...ofUploads.handlers,
    ...ofWatch,
    ...ofEdits.handlers,
    ...ofPreviews.handlers,
    ...ofVersions,
    ...ofObjects.handlers,
    ...ofSecrets.handlers,
    ...createProgramSecrets({ ...host, ...host.about, secrets: ofSecrets, approvals: ofApprovals }),
    ...ofCommand,
    ...ofFiles.handlers,
    ...ofTransfers,
    ...ofServices.handlers,
    ...(await updates(host)),
  };
  return {
    handlers,
    wake: () => host.signals.wake(),
    focused: () => host.signals.focused(),
    keychain: ofServices.keychain,
    preview: ofPreviews.respond,
    dropFiles: ofFiles.drop,
    openLink: ofObjects.openLink,
    atStake: host.engine.atStake,
    openEdits: () => ofEdits.open(),
    holdsApprovals: () => ofApprovals.holdsAny(),
    lock: () => ofApprovals.lock(),
    clearClipboard: () => ofSecrets.clearClipboard(),
  };
}
