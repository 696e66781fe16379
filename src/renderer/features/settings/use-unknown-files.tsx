import { useEffect, useState, type ReactNode } from 'react';
import type { UnknownFile } from '../../../shared/contract.ts';
import { errorText } from '../../../shared/i18n/error-text.ts';
import { formatDate, formatSize } from '../../../shared/i18n/format.ts';
import { useClient } from '../../app/client.ts';
import { DialogPane } from '../../app/Pane.tsx';
import { sayFailure } from '../../app/say-failure.ts';
import { useAct } from '../../app/use-act.ts';
import { commonTexts } from '../../i18n/common-texts.ts';
import { settingsTexts } from '../../i18n/settings-texts.ts';
import { announce } from '../../ui/announce.tsx';
import { Button } from '../../ui/Button.tsx';
import { AlertDialog } from '../../ui/Dialog.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { focusHere } from '../../ui/focus-here.ts';
import type { Setting } from './Section.tsx';

const texts = settingsTexts.kept;

/** Files of Coffer's own that its database does not know: a line while there are any, and the question before they go. */
export function useUnknownFiles(): { settings: Setting[]; question: ReactNode } {
  const client = useClient();
  const files = useFiles();
  const [asked, setAsked] = useState<readonly UnknownFile[] | null>(null);
  const [oldest] = files;
  if (oldest === undefined) return { settings: [], question: null };

  const firstPlain = files.find(({ isSealed }) => !isSealed);
  const save = async () => {
    const answer = await client.call('kept.saveUnknown', { paths: files.map(({ path }) => path) });
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
                onPress={() => sayFailure(client.call('kept.showUnknown', { path: firstPlain.path }))}
              >
                {texts.showUnknown}
              </Button>
            )}
            <Button kind="bad" onPress={() => setAsked(files)}>
              {texts.removeUnknown}
            </Button>
          </>
        ),
      },
    ],
    question: asked && (
      <DialogPane onClose={() => setAsked(null)}>
        <RemoveQuestion files={asked} onClose={() => setAsked(null)} />
      </DialogPane>
    ),
  };
}

function RemoveQuestion({ files, onClose }: { files: readonly UnknownFile[]; onClose: () => void }) {
  const client = useClient();
  const act = useAct();
  const count = files.length;
  const sealedCount = files.filter(({ isSealed }) => isSealed).length;
  const remove = () =>
    void act.run(async () => {
      await client.call('kept.removeUnknown', { paths: files.map(({ path }) => path) });
      onClose();
    });
  return (
    <AlertDialog
      isOpen
      onClose={onClose}
      title={texts.removeUnknownTitle({ count })}
      buttons={
        <>
          <Button {...focusHere} size="large" onPress={onClose}>
            {commonTexts.cancel}
          </Button>
          <Button kind="fatal" size="large" isDisabled={act.isRunning} onPress={remove}>
            {texts.removeUnknownButton({ count })}
          </Button>
        </>
      }
    >
      <div className="paragraphs">
        <p>{texts.removeUnknownText}</p>
        {sealedCount > 0 && <p>{texts.sealedText({ count: sealedCount })}</p>}
        {sealedCount < count && <p>{texts.plainText({ count: count - sealedCount })}</p>}
      </div>
      {act.error !== null && <ErrorNote {...errorText(act.error)} />}
    </AlertDialog>
  );
}

function sumOf(files: readonly UnknownFile[]): number {
  return files.reduce((sum, { bytes }) => sum + bytes, 0);
}

/** The oldest first. */
function useFiles(): readonly UnknownFile[] {
  const client = useClient();
  const [files, setFiles] = useState<readonly UnknownFile[]>([]);
  useEffect(() => {
    let isLive = true;
    const look = () =>
      void client.call('kept.unknown').then(
        (found) => isLive && setFiles(found.files),
        () => isLive && setFiles([]),
      );
    look();
    const stop = client.on('kept.changed', look);
    return () => {
      isLive = false;
      stop();
    };
  }, [client]);
  return files;
}
