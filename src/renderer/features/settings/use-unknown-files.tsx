import { useState, type ReactNode } from 'react';
import type { UnknownFile } from '../../../shared/contract.ts';
import { formatDate, formatSize } from '../../../shared/i18n/format.ts';
import { ConfirmDialog } from '../../app/ConfirmDialog.tsx';
import { useClient, type Client } from '../../app/client.ts';
import { sayFailure } from '../../app/say-failure.ts';
import { useUndoCopies } from '../../app/use-replaced-versions.ts';
import { settingsTexts } from '../../i18n/settings-texts.ts';
import { announce } from '../../ui/announce.tsx';
import { Button } from '../../ui/Button.tsx';
import type { Setting } from '../../app/setting.ts';
import { commonTexts } from '../../i18n/common-texts.ts';

const texts = settingsTexts.undoCopies;
const askUnknown = (client: Client) => client.call('undo.unknown');

/**
 * Files in Coffer's folders that its database does not know: a setting if there are any, and a confirmation before
 * they are deleted.
 */
export function useUnknownFiles(): { settings: Setting[]; question: ReactNode } {
  const client = useClient();
  const files = useUndoCopies(askUnknown)?.files ?? [];
  const [asked, setAsked] = useState<readonly UnknownFile[] | null>(null);
  const [oldest] = files;
  if (oldest === undefined) return { settings: [], question: null };

  const firstPlain = files.find(({ isSealed }) => !isSealed);
  const save = async () => {
    const answer = await client.call('undo.saveUnknown', { names: files.map(({ name }) => name) });
    if (answer === null) return;
    const { savedCount, unreadableCount, folderName } = answer;
    const words = [
      savedCount > 0 && texts.saved({ count: savedCount, folder: folderName }),
      unreadableCount > 0 && texts.unreadable({ count: unreadableCount }),
    ];
    announce(words.filter(Boolean).join(' '));
  };
  const size = formatSize(sumOf(files));
  return {
    settings: [
      {
        name: texts.unknown,
        hint: texts.unknownHint({ count: files.length, size, when: formatDate(oldest.changedAtMs) }),
        control: (
          <>
            {files.some(({ isSealed }) => isSealed) && (
              <Button kind="line" onPress={() => sayFailure(save())}>
                {texts.saveUnknown}
              </Button>
            )}
            {firstPlain && (
              <Button
                kind="line"
                onPress={() => sayFailure(client.call('undo.showUnknown', { name: firstPlain.name }))}
              >
                {commonTexts.showInFolder}
              </Button>
            )}
            <Button kind="bad" onPress={() => setAsked(files)}>
              {settingsTexts.remove}
            </Button>
          </>
        ),
      },
    ],
    question: asked && <RemoveQuestion files={asked} onClose={() => setAsked(null)} />,
  };
}

function RemoveQuestion({ files, onClose }: { files: readonly UnknownFile[]; onClose: () => void }) {
  const client = useClient();
  const count = files.length;
  const sealedCount = files.filter(({ isSealed }) => isSealed).length;
  return (
    <ConfirmDialog
      title={texts.removeUnknownTitle({ count })}
      button={texts.removeUnknownButton({ count })}
      run={() => client.call('undo.removeUnknown', { names: files.map(({ name }) => name) })}
      onClose={onClose}
    >
      <div className="paragraphs">
        <p>{texts.removeUnknownText}</p>
        {sealedCount > 0 && <p>{texts.sealedText({ count: sealedCount })}</p>}
        {sealedCount < count && <p>{texts.plainText({ count: count - sealedCount })}</p>}
      </div>
    </ConfirmDialog>
  );
}

function sumOf(files: readonly UnknownFile[]): number {
  return files.reduce((sum, { bytes }) => sum + bytes, 0);
}
