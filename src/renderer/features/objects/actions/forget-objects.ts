import type { Selection } from '../../../../shared/domain/object.ts';
import type { Client } from '../../../app/client.ts';
import { offerUndo } from '../../../app/undo.ts';
import { objectTexts } from '../../../i18n/object-texts.ts';
import { announce } from '../../../ui/announce.tsx';

const texts = objectTexts.said;

/** Takes objects off the list, and offers to put them back, if that is possible. @param unstoredOnly only what was never stored */
export async function forgetObjects(
  client: Client,
  selection: Selection,
  { unstoredOnly = false }: { unstoredOnly?: boolean } = {},
): Promise<void> {
  const { forgotten, removal } = await client.call('objects.forget', {
    selection,
    ...(unstoredOnly && { unstoredOnly }),
  });
  const text = texts.removed({ count: forgotten });
  if (removal === null) return void announce(text);
  const putBack = async () => {
    const { count } = await client.call('objects.putBack', { removal });
    const back = texts.putBack({ count });
    announce(count === forgotten ? back : texts.listedAgain({ back, count: forgotten - count }));
  };
  offerUndo(text, { of: 'remove', key: removal, run: putBack });
}
