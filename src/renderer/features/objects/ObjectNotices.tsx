import type { ObjectQuery } from '../../../shared/domain/object.ts';
import type { AppError } from '../../../shared/errors.ts';
import { runCommand } from '../../app/commands.ts';
import { isMac, keysOf } from '../../app/key-bindings.ts';
import { setSearch } from '../../app/place.ts';
import { errorLine } from '../../i18n/error-text.ts';
import { Button } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { KeyHint } from '../../ui/KeyHint.tsx';
import { emptyPlaceText } from './place-text.ts';

const placeIcons = {
  all: 'all',
  unfiled: 'tray',
  folder: 'folder',
  classification: 'all',
  gone: 'gone',
} as const;

/** What stands in place of rows when there are none, and what to do. */
export function EmptyList({ place, search }: Pick<ObjectQuery, 'place' | 'search'>) {
  if (search !== '') {
    return (
      <EmptyState
        icon="search"
        title="Nothing found"
        text="Nothing here fits what you wrote."
        buttons={
          <Button kind="line" onPress={() => setSearch('')}>
            Clear search
          </Button>
        }
      />
    );
  }
  if (place.kind !== 'all') {
    return <EmptyState icon={placeIcons[place.kind]} title="Nothing here" text={emptyPlaceText(place)} />;
  }
  return (
    <EmptyState
      title="Drop files or folders here"
      text="You choose their classification and identifiers before anything leaves this computer."
      buttons={
        <>
          <Button kind="line" onPress={() => runCommand('upload')}>
            Choose files…
          </Button>
          <Button kind="line" onPress={() => runCommand('uploadFolder')}>
            Choose a folder…
          </Button>
        </>
      }
      keys={
        <>
          <span>
            <KeyHint keys={isMac ? '⌘+V' : 'Ctrl+V'} />
            paste files
          </span>
          <span>
            <KeyHint keys={keysOf('palette') ?? ''} />
            all commands
          </span>
        </>
      }
    />
  );
}

/** One line over the selection bar: what failed, while the list stays. */
export function Notice({ error, button, onPress }: { error: AppError; button: string; onPress: () => void }) {
  return (
    <div className="objects-notice">
      <Icon name="fail" />
      <span>{errorLine(error)}</span>
      <Button kind="line" size="small" onPress={onPress}>
        {button}
      </Button>
    </div>
  );
}
