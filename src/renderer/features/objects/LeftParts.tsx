import { useEffect, useState } from 'react';
import { useClient } from '../../app/client.ts';
import { sayFailure } from '../../app/say-failure.ts';
import { partTexts as texts } from '../../i18n/object-texts.ts';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icon.tsx';

/** Parts of cancelled uploads and deleted files that could not be removed: known, and said until they are gone. */
export function LeftParts({ profileId }: { profileId: string }) {
  const client = useClient();
  const [left, setLeft] = useState({ profileId, stuck: 0 });

  useEffect(() => {
    let live = true;
    const look = () => {
      client.call('objects.leftParts', { profileId }).then(
        ({ stuck }) => live && setLeft({ profileId, stuck }),
        // Nothing to be said is the safe answer: the next change asks again.
        () => undefined,
      );
    };
    look();
    const stop = client.on('objects.changed', (changed) => {
      if (changed.profileId === profileId) look();
    });
    return () => {
      live = false;
      stop();
    };
  }, [client, profileId]);

  if (left.profileId !== profileId || left.stuck === 0) return null;
  return (
    <div className="objects-notice">
      <Icon name="warn" />
      <span>{texts.left({ count: left.stuck })}</span>
      <Button
        kind="line"
        size="small"
        onPress={() => sayFailure(client.call('objects.removeLeftParts', { profileId }))}
      >
        {texts.removeLeft}
      </Button>
    </div>
  );
}
