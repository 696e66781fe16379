import { memo } from 'react';
import { useLanguage } from '../../app/use-language.ts';
import { uploadTexts } from '../../i18n/upload-texts.ts';
import { formatBytes } from '../../../shared/i18n/format.ts';
import { Button, IconButton } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { Identifier } from '../../ui/Identifier.tsx';
import { Size } from '../../ui/Size.tsx';
import { fileIcon } from '../../app/file-kind.ts';
import { CommitField } from './CommitField.tsx';
import { problemText, type Remedy } from './problem-text.ts';
import type { SheetRow } from './use-plan-window.ts';
import { commonTexts } from '../../i18n/common-texts.ts';

const texts = uploadTexts.table;

export type FileRowActions = {
  separator: string;
  /** @param identifier null: back to the template's name */
  rename: (entryId: number, identifier: string | null) => void;
  remove: (entryId: number) => void;
};

type FileRowProps = {
  entry: SheetRow;
  index: number;
  top: number;
  /** In the group at the top; without a problem, the row says that all is well. */
  isFirst: boolean;
  actions: FileRowActions;
};

export const FileRow = memo(function FileRow({ entry, index, top, isFirst, actions }: FileRowProps) {
  useLanguage();
  const { id, fileName, folder, sizeBytes, parts, identifier, edited, problem, stored } = entry;
  const says = problemText(entry, actions.separator);
  const isBadName = problem?.code === 'sameIdentifier' || problem?.code === 'badIdentifier';
  return (
    <tr aria-rowindex={index + 2} className="file" style={{ top }}>
      <td className="file__identifier">
        <Icon name={fileIcon({ identifier: fileName })} />
        <span className={isBadName ? 'file__field file__field--bad' : 'file__field'}>
          <CommitField
            label={texts.identifierOf({ fileName })}
            maxLength={8192}
            value={identifier}
            onCommit={(typed) => actions.rename(id, typed)}
            isDisabled={problem !== null && !isBadName}
          />
          {/* In place of the field, which would cut the end, until it is entered. */}
          <span className="file__name" aria-hidden="true">
            <Identifier identifier={identifier} separator={actions.separator} />
            {!identifier.endsWith(fileName) && (
              <span className="file__from">
                {texts.from({ file: folder === '' ? fileName : `${folder}/${fileName}` })}
              </span>
            )}
          </span>
        </span>
        {stored !== null && <StoredMark classification={stored.classification} />}
        {edited && (
          <IconButton
            label={texts.backToTemplate({ fileName })}
            icon="undo"
            size="small"
            onPress={({ target }) => {
              focusField(target);
              actions.rename(id, null);
            }}
          />
        )}
      </td>
      <td className={problem?.code === 'tooLarge' ? 'files__size file__size--bad' : 'files__size'}>
        <Size {...formatBytes(sizeBytes)} />
        {parts !== null && <span className="files__parts">{texts.inParts({ count: parts })}</span>}
      </td>
      <td>
        <IconButton
          label={texts.removeOne({ fileName })}
          icon="x"
          size="small"
          className="file__remove"
          onPress={({ target }) => {
            focusNeighbour(target);
            actions.remove(id);
          }}
        />
      </td>
      {says === null && isFirst && (
        <td className="file__says file__says--ok">
          <Icon name="check" />
          <span className="file__text">{texts.fixed}</span>
        </td>
      )}
      {says !== null && (
        <td className={problem === null ? 'file__says' : 'file__says file__says--bad'}>
          <Icon name={problem === null ? 'warn' : 'fail'} />
          <span className="file__text" title={says.text}>
            {says.text}
          </span>
          {says.remedy !== null && <RemedyButton id={id} remedy={says.remedy} actions={actions} />}
        </td>
      )}
    </tr>
  );
});

function StoredMark({ classification }: { classification: string | null }) {
  const hint = classification === null ? texts.storedHint : texts.storedAs({ classification });
  return (
    <span className="file__stored" title={hint}>
      <Icon name="check" />
      {texts.stored}
    </span>
  );
}

function RemedyButton({ id, remedy, actions }: { id: number; remedy: Remedy; actions: FileRowActions }) {
  const { remove, rename } = actions;
  return (
    <Button
      kind="link"
      className="file__remedy"
      onPress={({ target }) => {
        if (remedy.kind === 'remove') {
          focusNeighbour(target);
          remove(id);
        } else {
          focusField(target);
          rename(id, remedy.identifier);
        }
      }}
    >
      <span>{remedy.kind === 'remove' ? commonTexts.remove : remedy.label}</span>
    </Button>
  );
}

/** The button disappears after the undo, so the focus moves to the field of its row. */
function focusField(button: Element): void {
  button.closest('tr')?.querySelector('input')?.focus();
}

/** The row disappears, so the focus moves to the same control of the next row, or the one before. */
function focusNeighbour(button: Element): void {
  const row = button.closest('tr');
  const neighbour = row?.nextElementSibling ?? row?.previousElementSibling;
  const own = button.classList.contains('file__remedy') ? '.file__remedy' : '.file__remove';
  const target = neighbour?.querySelector<HTMLElement>(own) ?? neighbour?.querySelector('input');
  target?.focus();
}
