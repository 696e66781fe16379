import { useCallback, useEffect, useState } from 'react';
import { extensionOf, fileKind } from '../../../../shared/domain/file-kind.ts';
import type { ObjectRow, Output } from '../../../../shared/contract.ts';
import type { AppError } from '../../../../shared/errors.ts';
import { isUnverified } from '../../../../shared/domain/unverified.ts';
import { isClassificationKnown, isStoredWhole } from '../../../../shared/domain/object.ts';
import { inOneLine } from '../../../../shared/domain/legible.ts';
import { formatMoment, sizeTexts } from '../../../../shared/i18n/format.ts';
import { detailTexts, detailTexts as texts } from '../../../i18n/detail-texts.ts';
import { useClient } from '../../../app/client.ts';
import { asAppError } from '../../../app/remote-store.ts';
import { commonTexts } from '../../../i18n/common-texts.ts';
import { objectTexts } from '../../../i18n/object-texts.ts';
import { secretTexts } from '../../../i18n/secret-texts.ts';
import { replacingText } from '../../../i18n/replace-texts.ts';
import { useFacts } from '../../../app/slots.tsx';
import { Button } from '../../../ui/Button.tsx';
import { useObjectProgress } from '../../../app/use-progress.ts';
import { ClassBadge } from '../../../app/classification/ClassBadge.tsx';
import { rowState } from '../state/row-state.ts';
import { StateLabel } from '../state/StateLabel.tsx';
import { RenewBy } from './RenewBy.tsx';
import { Field } from './Field.tsx';

/** `PNG picture`, from the file name alone. */
function kindText(identifier: string): string {
  const extension = extensionOf(identifier).toUpperCase();
  const kind = fileKind(identifier);
  return extension === '' ? detailTexts.kinds[kind] : detailTexts.kindsOf[kind]({ extension });
}

/** In groups of eight, three per line, so that digests can be compared by eye. */
function digestLines(sha256: string): string[] {
  const groups = sha256.match(/.{1,8}/g) ?? [];
  return Array.from({ length: Math.ceil(groups.length / 3) }, (_, line) =>
    groups.slice(line * 3, line * 3 + 3).join(' '),
  );
}

type Details = Output<'objects.get'>;

/** An object and its history, kept up to date. Shows the previous object until the next is loaded. */
export function useObjectDetails(id: number | null) {
  const client = useClient();
  const [details, setDetails] = useState<Details | null>(null);
  const [error, setError] = useState<AppError | null>(null);
  const [turn, setTurn] = useState(0);
  const refresh = useCallback(() => setTurn((before) => before + 1), []);

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = client.on('objects.changed', () => {
      timer ??= setTimeout(() => {
        timer = undefined;
        refresh();
      }, 125);
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [client, refresh]);

  useEffect(() => {
    let live = true;
    if (id === null) return undefined;
    client.call('objects.get', { id }).then(
      (found) => {
        if (!live) return;
        setDetails(found);
        setError(null);
      },
      (cause: unknown) => {
        if (!live) return;
        setDetails(null);
        setError(asAppError(cause));
      },
    );
    return () => {
      live = false;
    };
  }, [client, id, turn]);

  return { details: id === null ? null : details, error: id === null ? null : error, refresh };
}

type Props = { object: ObjectRow; nowMs: number; onReclassify: () => void; onShowMoved: () => void };

export function DetailFields({ object, nowMs, onReclassify, onShowMoved }: Props) {
  const { lengthBytes, classification, storedAtMs, checkedAtMs, sourceName, sha256, activityToken } = object;
  const { storedBy, seenBy } = object;
  /** Whether the rarely needed digest and activity token are shown; kept from one object to the next. */
  const [isWhole, setWhole] = useState(false);
  const progress = useObjectProgress(object);
  const [otherState] = useFacts('objectState', object);
  const isSecret = object.kind === 'secret';
  const isGone = object.state === 'gone';
  const isUnseen = isUnverified(object, 'presence');
  const size = lengthBytes === null ? null : sizeTexts(lengthBytes);
  return (
    <dl className="fields">
      <Field name={objectTexts.column.state}>
        {otherState ?? (
          <span className="fields__state">
            <StateLabel state={rowState(object, nowMs, progress)} />
            {object.movedTo !== undefined && (
              <Button
                kind="link"
                aria-label={objectTexts.act.showMoved({ identifier: object.movedTo })}
                onPress={onShowMoved}
              >
                {texts.show}
              </Button>
            )}
            {object.transfer?.replacing && (
              <span className="fields__below">{replacingText(object.transfer.replacing, nowMs)}</span>
            )}
            {isUnseen && (
              <span className="fields__below">{isSecret ? texts.told.secret : texts.told.presence}</span>
            )}
          </span>
        )}
      </Field>
      <Field name={objectTexts.column.classification}>
        {classification === null ? (
          <span className="fields__dim">
            {isClassificationKnown(object) ? commonTexts.serviceDefault : commonTexts.notKnown}
          </span>
        ) : (
          <ClassBadge value={classification} />
        )}
        {isStoredWhole(object) && (
          <Button
            kind="link"
            className="fields__change"
            aria-label={objectTexts.act.reclassify}
            onPress={onReclassify}
          >
            {texts.change}
          </Button>
        )}
      </Field>
      <Field name={objectTexts.column.size}>
        {size === null ? (
          <span className="fields__dim">{commonTexts.notKnown}</span>
        ) : (
          <span>
            {size.short} {size.exact !== null && <span className="fields__dim">({size.exact})</span>}
            {!isUnseen && isUnverified(object, 'length') && (
              <span className="fields__below">
                {storedBy === undefined ? texts.told.length : texts.colleague.length({ name: storedBy })}
              </span>
            )}
          </span>
        )}
      </Field>
      {!isSecret && <Field name={texts.kind}>{kindText(object.identifier)}</Field>}
      <Field name={objectTexts.column.stored}>
        {storedAtMs === null ? dim(commonTexts.notKnown) : formatMoment(storedAtMs, nowMs)}
      </Field>
      <Field name={isSecret ? texts.lastUsed : isGone ? whenGone(object) : objectTexts.column.checked}>
        {checkedAtMs === null
          ? dim(isGone ? commonTexts.notKnown : commonTexts.never)
          : formatMoment(checkedAtMs, nowMs)}
        {isUnseen && checkedAtMs !== null && (
          <span className="fields__below">
            {seenBy === undefined ? texts.told.checked : texts.colleague.says({ name: seenBy })}
          </span>
        )}
      </Field>
      {isSecret && !isGone && (
        <Field name={secretTexts.renewal.label}>
          <RenewBy key={object.id} object={object} nowMs={nowMs} />
        </Field>
      )}
      {sourceName !== null && (
        <Field name={texts.from}>
          <bdi className="selectable">{inOneLine(sourceName)}</bdi>
        </Field>
      )}
      {(sha256 !== null || activityToken !== null) && (
        <dd className="fields__more">
          <Button kind="link" aria-expanded={isWhole} onPress={() => setWhole(!isWhole)}>
            {isWhole ? texts.showLess : texts.more}
          </Button>
        </dd>
      )}
      {isWhole && sha256 !== null && (
        <Field name="SHA-256" copy={{ label: texts.copyDigest, text: sha256 }}>
          <bdi dir="ltr" className="fields__code selectable">
            {digestLines(sha256).join('\n')}
          </bdi>
          {isUnverified(object, 'digest') && (
            <span className="fields__below">
              {storedBy === undefined ? texts.told.digest : texts.colleague.digest({ name: storedBy })}
            </span>
          )}
        </Field>
      )}
      {isWhole && activityToken !== null && (
        <Field name={texts.activity} copy={{ label: texts.copyActivity, text: activityToken }}>
          <bdi dir="ltr" className="fields__code selectable">
            {activityToken}
          </bdi>
        </Field>
      )}
    </dl>
  );
}

function whenGone({ movedTo }: ObjectRow): string {
  return movedTo === undefined ? texts.gone : texts.moved;
}

function dim(text: string) {
  return <span className="fields__dim">{text}</span>;
}
