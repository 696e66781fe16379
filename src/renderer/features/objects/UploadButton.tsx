import { runCommand } from '../../app/commands.ts';
import { keysOf } from '../../app/key-bindings.ts';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { MenuButton } from '../../ui/Menu.tsx';

/** The one filled button of the screen, and beside it the other ways in. Outlined while the banner has the filled one. */
export function UploadButton({ isQuiet }: { isQuiet: boolean }) {
  const kind = isQuiet ? 'line' : 'primary';
  const keys = keysOf('upload');
  return (
    <div className="upload-button">
      <Button kind={kind} icon="upload" onPress={() => runCommand('upload')}>
        Upload
      </Button>
      <MenuButton
        label="More ways to add"
        placement="bottom end"
        trigger={
          <Button kind={kind} aria-label="More ways to add">
            <Icon name="down" size={12} />
          </Button>
        }
        entries={[
          {
            id: 'files',
            label: 'Upload files…',
            icon: 'upload',
            ...(keys !== undefined && { keys }),
            onAction: () => runCommand('upload'),
          },
          {
            id: 'folder',
            label: 'Upload folder…',
            icon: 'folder',
            onAction: () => runCommand('uploadFolder'),
          },
          'line',
          {
            id: 'known',
            label: 'Add known identifiers…',
            icon: 'plus',
            onAction: () => runCommand('addKnown'),
          },
        ]}
      />
    </div>
  );
}
