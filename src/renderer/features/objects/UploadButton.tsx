import { folderTexts } from '../../i18n/folder-texts.ts';
import { objectTexts } from '../../i18n/object-texts.ts';
import { runCommand } from '../../app/commands.ts';
import { keysOf } from '../../app/key-bindings.ts';
import { useFacts } from '../../app/slots.tsx';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { MenuButton } from '../../ui/Menu.tsx';
import { uploadTexts } from '../../i18n/upload-texts.ts';

const texts = objectTexts.act;

/**
 * The primary button of the screen, with a menu of other ways to add. Outlined while a banner has the primary button.
 */
export function UploadButton({ isQuiet }: { isQuiet: boolean }) {
  const kind = isQuiet ? 'line' : 'primary';
  const keys = keysOf('upload');
  const newFolderKeys = keysOf('newFolder');
  const others = useFacts('uploadMenu');
  return (
    <div className="upload-button">
      <Button kind={kind} icon="upload" onPress={() => runCommand('upload')}>
        {uploadTexts.title}
      </Button>
      <MenuButton
        label={texts.moreWays}
        placement="bottom end"
        trigger={
          <Button kind={kind} aria-label={texts.moreWays}>
            <Icon name="down" size={12} />
          </Button>
        }
        entries={[
          {
            id: 'files',
            label: texts.uploadFiles,
            icon: 'upload',
            ...(keys !== undefined && { keys }),
            onAction: () => runCommand('upload'),
          },
          {
            id: 'folder',
            label: texts.uploadFolder,
            icon: 'folder',
            onAction: () => runCommand('uploadFolder'),
          },
          ...others,
          'line',
          {
            id: 'newFolder',
            label: folderTexts.new,
            icon: 'folder',
            ...(newFolderKeys !== undefined && { keys: newFolderKeys }),
            onAction: () => runCommand('newFolder'),
          },
          {
            id: 'known',
            label: texts.addKnown,
            icon: 'plus',
            onAction: () => runCommand('addKnown'),
          },
        ]}
      />
    </div>
  );
}
