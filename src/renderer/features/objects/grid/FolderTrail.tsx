import type { Folder } from '../../../../shared/domain/object.ts';
import { folderTrail } from '../../../../shared/domain/folder.ts';
import { useIsOver } from '../../../app/drops.ts';
import { focusGrid } from '../../../app/grid.ts';
import { showPlace } from '../../../app/place.ts';
import { objectTexts } from '../../../i18n/object-texts.ts';
import { Button, IconButton } from '../../../ui/Button.tsx';
import { Icon } from '../../../ui/Icon.tsx';
import { MenuButton } from '../../../ui/Menu.tsx';

const texts = objectTexts.trail;

type Step = Pick<Folder, 'path' | 'name'>;

/** Estimated widths in pixels: search and buttons, the menu of hidden folders, a short title (topbar.css), a letter of the title, a letter of a folder, space around a folder. */
const othersPx = 520;
const menuPx = 36;
const titlePx = 64;
const titleLetterPx = 9;
const letterPx = 7;
const aroundPx = 28;

/** The folders above the open one, each a button that opens it. */
export function FolderTrail({
  path,
  separator,
  widthPx,
}: {
  path: string;
  separator: string;
  /** Width of the whole bar in pixels; 0: not measured. */
  widthPx: number;
}) {
  const trail = folderTrail(path, separator);
  const above: Step[] = [{ path: '', name: objectTexts.place.files }, ...trail.slice(0, -1)];
  const ownPx = Math.max(titlePx, (trail.at(-1)?.name.length ?? 0) * titleLetterPx);
  const roomPx = widthPx === 0 ? Infinity : widthPx - othersPx - ownPx;
  const fitting = thatFit(above, roomPx);
  const shown = fitting.length === above.length ? above : thatFit(above, roomPx - menuPx);
  const hidden = above.slice(0, above.length - shown.length);
  return (
    <nav className="trail" aria-label={texts.label}>
      <ol>
        {hidden.length > 0 && (
          <li>
            <MenuButton
              trigger={<IconButton icon="more" label={texts.more} size="small" />}
              label={texts.more}
              entries={hidden.map((step) => ({
                id: step.path,
                label: step.name,
                icon: 'folder',
                onAction: () => open(step),
              }))}
            />
            <Icon name="right" size={12} />
          </li>
        )}
        {shown.map((step) => (
          <li key={step.path}>
            <StepButton step={step} />
            <Icon name="right" size={12} />
          </li>
        ))}
      </ol>
    </nav>
  );
}

function StepButton({ step }: { step: Step }) {
  return (
    <Button
      kind="quiet"
      size="small"
      className="trail__step"
      data-folder={step.path}
      data-over={useIsOver(step.path) || undefined}
      onPress={() => open(step)}
    >
      <bdi>{step.name}</bdi>
    </Button>
  );
}

function open({ path }: Step): void {
  showPlace({ kind: 'folder', path });
  focusGrid();
}

/** The innermost folders that fit, by the estimated width of their names. */
function thatFit(above: readonly Step[], roomPx: number): readonly Step[] {
  let left = roomPx;
  const first = above.findLastIndex(({ name }) => (left -= aroundPx + name.length * letterPx) < 0);
  return above.slice(first + 1);
}
