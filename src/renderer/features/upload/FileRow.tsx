import { memo, useEffect, useState } from 'react';
import type { DraftEntry } from '../../../shared/domain/upload-draft.ts';
import { formatBytes } from '../../i18n/format.ts';
import { Button, IconButton } from '../../ui/Button.tsx';
import { TextField } from '../../ui/Field.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { Identifier } from '../../ui/Identifier.tsx';
import { Size } from '../../ui/Size.tsx';
import { fileIcon } from '../objects/file-kind.ts';
import { problemText } from './problem-text.ts';

export type FileRowActions = {
  separator: string;
  /** null: back to what the template says. */
  rename: (entryId: number, identifier: string | null) => void;
  remove: (entryId: number) => void;
};

type FileRowProps = { entry: DraftEntry; index: number; top: number; actions: FileRowActions };

export const FileRow = memo(function FileRow({ entry, index, top, actions }: FileRowProps) {
  const { id, fileName, folder, sizeBytes, identifier, edited, problem } = entry;
  const [typed, setTyped] = useState(identifier);
  useEffect(() => setTyped(identifier), [identifier]);
  const says = problemText(entry, actions.separator);
  const canGo = problem === null || problem.code === 'sameIdentifier' || problem.code === 'badIdentifier';
  return (
    <div role="row" aria-rowindex={index + 2} className="file" style={{ top }}>
      <span role="cell">
        <Identifier
          identifier={folder === '' ? fileName : `${folder}/${fileName}`}
          icon={fileIcon({ identifier: fileName })}
        />
      </span>
      <span role="cell" className="file__identifier">
        <TextField
          label={`Identifier of ${fileName}`}
          labelPlace="hidden"
          look="quiet"
          size="regular"
          value={typed}
          onChange={setTyped}
          onBlur={() => {
            if (typed !== identifier) actions.rename(id, typed);
          }}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && typed !== identifier) actions.rename(id, typed);
          }}
          isDisabled={!canGo}
          className={canGo && problem !== null ? 'file__field file__field--bad' : 'file__field'}
        />
        {edited && (
          <IconButton
            label={`Back to the name from the template for ${fileName}`}
            icon="undo"
            size="small"
            onPress={() => actions.rename(id, null)}
          />
        )}
      </span>
      <span
        role="cell"
        className={problem?.code === 'tooLarge' ? 'files__size file__size--bad' : 'files__size'}
      >
        <Size {...formatBytes(sizeBytes)} />
      </span>
      <span role="cell">
        <IconButton label={`Remove ${fileName}`} icon="x" size="small" onPress={() => actions.remove(id)} />
      </span>
      {says !== null && (
        <span role="cell" className={problem === null ? 'file__note' : 'file__problem'}>
          <Icon name={problem === null ? 'warn' : 'fail'} />
          <span className="file__say">{says.text}</span>
          {says.remedy?.kind === 'remove' && (
            <Button kind="link" onPress={() => actions.remove(id)}>
              Remove
            </Button>
          )}
          {says.remedy?.kind === 'rename' && <Rename id={id} remedy={says.remedy} rename={actions.rename} />}
        </span>
      )}
    </div>
  );
});

function Rename(props: {
  id: number;
  remedy: { identifier: string; label: string };
  rename: FileRowActions['rename'];
}) {
  const { id, remedy, rename } = props;
  return (
    <Button kind="link" onPress={() => rename(id, remedy.identifier)}>
      {remedy.label}
    </Button>
  );
}
