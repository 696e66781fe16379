import { type ReactNode, useEffect, useState } from 'react';
import type { SelectionMix } from '../../../../shared/contract.ts';
import type { ObjectKind, Selection } from '../../../../shared/domain/object.ts';
import { formatCount, formatDateRange, formatList, sizeTexts } from '../../../../shared/i18n/format.ts';
import { useClient } from '../../../app/client.ts';
import { commonTexts } from '../../../i18n/common-texts.ts';
import { detailTexts as texts } from '../../../i18n/detail-texts.ts';
import { objectTexts } from '../../../i18n/object-texts.ts';
import { folderAbove, nameWithin } from '../../../../shared/domain/folder.ts';
import { ClassBadge } from '../../../app/classification/ClassBadge.tsx';
import { useBrowser } from '../state/browser-store.ts';
import { objectState } from '../state/row-state.ts';
import { onlyFolder } from '../state/selection.ts';
import { StateLabel } from '../state/StateLabel.tsx';
import { Field } from './Field.tsx';

/** Delay in ms before a reload: while transfers run, rows change many times a second. */
const settledMs = 500;

/**
 * A summary of a selection from main, kept up to date; null: not loaded yet, or nothing is selected. Shows the
 * previous one until the next is loaded, so that nothing flickers while a selection grows.
 */
function useSelectionMix(selection: Selection | null): SelectionMix | null {
  const client = useClient();
  const [mix, setMix] = useState<SelectionMix | null>(null);
  useEffect(() => {
    if (selection === null) return undefined;
    let live = true;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const ask = () => {
      client.call('objects.mixOf', { selection }).then(
        (found) => live && setMix(found),
        () => undefined, // the list shows the error
      );
    };
    const stop = client.on('objects.changed', () => {
      timer ??= setTimeout(() => {
        timer = undefined;
        ask();
      }, settledMs);
    });
    ask();
    return () => {
      live = false;
      stop();
      clearTimeout(timer);
    };
  }, [client, selection]);
  return selection === null ? null : mix;
}

type Props = {
  selection: Selection | null;
  /** Of objects, without those in folders. */
  count: number;
  separator: string;
  kind: ObjectKind;
};

/** A summary of several objects: sizes, dates, states and classifications. */
export function SelectionDetails({ selection, count, separator, kind }: Props) {
  const folders = useBrowser((browser) => browser.folders);
  const folder = onlyFolder(folders, count);
  const mix = useSelectionMix(selection);
  const isOfSecrets = kind === 'secret';
  const above = folder === null ? '' : folderAbove(folder, separator);
  const title =
    folder === null
      ? formatList([
          folders.size > 0 && objectTexts.selection.folders({ count: folders.size }),
          (isOfSecrets ? texts.secrets : texts.objects)({
            count: folders.size === 0 ? count : (mix?.count ?? count),
          }),
        ])
      : nameWithin(folder, above, separator);
  const size = mix && sizeTexts(mix.totalBytes);
  return (
    <article className="details" aria-label={title}>
      <header className="details__head">
        <h2 className="details__title">{folder === null ? title : <bdi>{title}</bdi>}</h2>
        {above !== '' && (
          <p dir="ltr" className="details__folder selectable">
            {above + separator}
          </p>
        )}
      </header>
      {mix !== null && size !== null && (
        <>
          <dl className="fields figures">
            {folder !== null && <Field name={texts.inside}>{formatCount(mix.count)}</Field>}
            <Field name={objectTexts.column.size}>
              {size.short} {size.exact !== null && <span className="fields__dim">({size.exact})</span>}
              {mix.unknownLengths > 0 && (
                <span className="fields__below">
                  {(isOfSecrets ? texts.unknownSecrets : texts.unknownObjects)({ count: mix.unknownLengths })}
                </span>
              )}
            </Field>
            <Field name={objectTexts.column.stored}>
              {mix.stored === null ? (
                <span className="fields__dim">{commonTexts.notKnown}</span>
              ) : (
                formatDateRange(mix.stored.fromMs, mix.stored.toMs)
              )}
            </Field>
          </dl>
          <Counts
            label={texts.states}
            counts={mix.states.map(({ state, count: of }) => ({
              key: state,
              count: of,
              name: <StateLabel state={{ ...objectState(state) }} />,
            }))}
            note={
              mix.unseen > 0 &&
              (isOfSecrets ? texts.unseenSecrets : texts.unseenObjects)({ count: mix.unseen })
            }
          />
          <Counts
            label={commonTexts.classifications}
            counts={mix.classifications.map(({ value, count: of }) => ({
              key: value ?? '',
              count: of,
              name:
                value === null ? (
                  <span className="fields__dim">{commonTexts.serviceDefault}</span>
                ) : (
                  <ClassBadge value={value} />
                ),
            }))}
            note={mix.moreClassifications > 0 && texts.moreClasses({ count: mix.moreClassifications })}
          />
        </>
      )}
    </article>
  );
}

type Count = { key: string; name: ReactNode; count: number };

function Counts({ label, counts, note }: { label: string; counts: readonly Count[]; note: string | false }) {
  return (
    <section className="section" aria-label={label}>
      <h3 className="section__head">{label}</h3>
      <ul className="counts figures">
        {counts.map(({ key, name, count }) => (
          <li key={key}>
            <span className="counts__name">{name}</span>
            <span className="counts__count">{formatCount(count)}</span>
          </li>
        ))}
        {note !== false && <li className="fields__dim">{note}</li>}
      </ul>
    </section>
  );
}
