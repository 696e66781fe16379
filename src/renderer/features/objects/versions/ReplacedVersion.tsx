import type { Output } from '../../../../shared/contract.ts';
import { formatMoment, formatSize, formatTime } from '../../../../shared/i18n/format.ts';
import { useClient, type Client } from '../../../app/client.ts';
import { sayFailure } from '../../../app/say-failure.ts';
import { undoReplace } from '../../../app/undo-replace.ts';
import { replaceTexts } from '../../../i18n/replace-texts.ts';
import { announce } from '../../../ui/announce.tsx';
import { IconButton } from '../../../ui/Button.tsx';

const texts = replaceTexts.undoCopies;

/** As returned by `undo.ofObject`, newest first. */
export type UndoCopy = Output<'undo.ofObject'>['versions'][number];

/** What a Replace kept: a version without an identifier of its own. */
export function ReplacedVersion({ copy, nowMs }: { copy: UndoCopy; nowMs: number }) {
  const client = useClient();
  const { id, lengthBytes, keptAtMs, untilMs, isInParts } = copy;
  const when = formatMoment(keptAtMs, nowMs);
  return (
    <li className="version">
      <div className="version__name">{texts.replaced}</div>
      <p className="version__fact">{texts.kept({ when, until: formatTime(untilMs, nowMs) })}</p>
      <span className="version__size figures">{formatSize(lengthBytes)}</span>
      <span className="version__acts">
        {!isInParts && (
          <IconButton
            icon="download"
            size="small"
            label={texts.saveAs({ when })}
            onPress={() => sayFailure(saveAs(client, id))}
          />
        )}
        <IconButton
          icon="undo"
          size="small"
          label={texts.back({ when })}
          onPress={() => undoReplace(client, id)}
        />
      </span>
    </li>
  );
}

async function saveAs(client: Client, id: string): Promise<void> {
  const saved = await client.call('undo.saveAs', { id });
  if (saved !== null) announce(texts.saved({ fileName: saved.fileName }));
}
