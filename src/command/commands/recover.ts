import { isFinished } from '../../shared/domain/transfer.ts';
import type { Run } from '../context.ts';
import { exitCodes } from '../errors/exit-code.ts';
import { commandTexts as texts } from '../texts.ts';
import { followUploads } from '../transfers/send-files.ts';
import { allTransfers } from './transfers.ts';

/** `coffer recover FOLDER`: finishes the Replaces in the folder of an interrupted command. */
export const recover: Run = async (context) => {
  const { io, coffer, output, temporaryFolder } = context;
  const open = (await allTransfers(context)).filter(
    ({ state, replacing }) => !isFinished(state) || replacing !== undefined,
  );
  const { id } = await context.service();
  await coffer.call('services.setToken', { id, token: io.env['COFFER_TOKEN'] ?? '' });
  const failed = open.filter(({ state }) => isFinished(state)).map(({ id }) => id);
  if (failed.length > 0) await coffer.call('transfers.retry', { which: failed });
  if (open.length === 0) {
    output.say(texts.recovered({ folder: temporaryFolder ?? '' }));
    return exitCodes.done;
  }
  return followUploads(
    context,
    open.map(({ id }) => id),
    'ask',
  );
};
