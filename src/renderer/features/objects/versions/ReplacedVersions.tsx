import { useCallback } from 'react';
import { formatDate, formatMoment, formatSize } from '../../../../shared/i18n/format.ts';
import { useClient, type Client } from '../../../app/client.ts';
import { sayFailure } from '../../../app/say-failure.ts';
import { undoReplace } from '../../../app/undo-replace.ts';
import { useUndoCopies } from '../../../app/use-replaced-versions.ts';
import { replaceTexts } from '../../../i18n/replace-texts.ts';
import { announce } from '../../../ui/announce.tsx';
import { IconButton } from '../../../ui/Button.tsx';
import './replaced-versions.css';
import { settingsTexts } from '../../../i18n/settings-texts.ts';

const texts = replaceTexts.undoCopies;

/** The undo copies of this object; renders nothing if there are none. */
export function ReplacedVersions({ objectId, nowMs }: { objectId: number; nowMs: number }) {
  const client = useClient();
  const ask = useCallback((asked: Client) => asked.call('undo.ofObject', { objectId }), [objectId]);
  const { versions } = useUndoCopies(ask) ?? { versions: [] };
  if (versions.length === 0) return null;
  return (
    <section className="section" aria-label={settingsTexts.undoCopies.title}>
      <h3 className="section__head">{settingsTexts.undoCopies.title}</h3>
      <ul className="kept">
        {versions.map(({ id, lengthBytes, keptAtMs, untilMs, isInParts }) => {
          const when = formatMoment(keptAtMs, nowMs);
          return (
            <li key={id} className="kept__version figures">
              <span className="kept__words">
                <span>{texts.version({ size: formatSize(lengthBytes), when })}</span>
                <span className="kept__until">{texts.until({ when: formatDate(untilMs) })}</span>
              </span>
              <IconButton
                icon="undo"
                size="small"
                label={texts.back({ when })}
                onPress={() => undoReplace(client, id)}
              />
              {!isInParts && (
                <IconButton
                  icon="download"
                  size="small"
                  label={texts.saveAs({ when })}
                  onPress={() => sayFailure(saveAs(client, id))}
                />
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}

async function saveAs(client: Client, id: string): Promise<void> {
  const saved = await client.call('undo.saveAs', { id });
  if (saved !== null) announce(texts.saved({ fileName: saved.fileName }));
}
