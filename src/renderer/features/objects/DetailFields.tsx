import type { ReactNode } from 'react';
import type { ObjectRow } from '../../../shared/contract.ts';
import { useObjectProgress } from '../../app/use-progress.ts';
import { formatMoment } from '../../i18n/format.ts';
import { announce } from '../../ui/announce.tsx';
import { IconButton } from '../../ui/Button.tsx';
import { ClassBadge } from '../../app/classification/ClassBadge.tsx';
import { copyText } from './copy-text.ts';
import { digestLines, kindText, sizeTexts } from './details-format.ts';
import { rowState } from './row-state.ts';
import { StateLabel } from './StateLabel.tsx';

type Props = { object: ObjectRow; nowMs: number };

export function DetailFields({ object, nowMs }: Props) {
  const { lengthBytes, classification, storedAtMs, checkedAtMs, sourceName, sha256, activityToken } = object;
  const moved = useObjectProgress(object.id);
  const isSecret = object.kind === 'secret';
  const size = lengthBytes === null ? null : sizeTexts(lengthBytes);
  return (
    <dl className="fields figures">
      <Field name="State">
        <StateLabel state={rowState(object, nowMs, moved)} />
      </Field>
      <Field name="Class">
        {classification === null ? (
          <span className="fields__dim">Service default</span>
        ) : (
          <ClassBadge value={classification} />
        )}
      </Field>
      <Field name="Size">
        {size === null ? (
          <span className="fields__dim">Not known</span>
        ) : (
          <span>
            {size.short} {size.exact !== null && <span className="fields__dim">({size.exact})</span>}
          </span>
        )}
      </Field>
      {!isSecret && <Field name="Kind">{kindText(object.identifier)}</Field>}
      <Field name="Stored">{storedAtMs === null ? dim('Not known') : formatMoment(storedAtMs, nowMs)}</Field>
      <Field name={isSecret ? 'Last used' : 'Checked'}>
        {checkedAtMs === null ? dim('Never') : formatMoment(checkedAtMs, nowMs)}
      </Field>
      {sourceName !== null && (
        <Field name="From">
          <span className="selectable">{sourceName}</span>
        </Field>
      )}
      {sha256 !== null && (
        <Field name="SHA-256" copy={{ what: 'SHA-256', text: sha256 }}>
          <span className="fields__code selectable">{digestLines(sha256).join('\n')}</span>
        </Field>
      )}
      {activityToken !== null && (
        <Field name="Activity" copy={{ what: 'activity token', text: activityToken }}>
          <span className="fields__code selectable">{activityToken}</span>
        </Field>
      )}
    </dl>
  );
}

function dim(text: string) {
  return <span className="fields__dim">{text}</span>;
}

function Field({
  name,
  copy,
  children,
}: {
  name: string;
  copy?: { what: string; text: string };
  children: ReactNode;
}) {
  return (
    <>
      <dt>{name}</dt>
      <dd>
        <span>{children}</span>
        {copy && (
          <IconButton
            icon="copy"
            label={`Copy ${copy.what}`}
            size="small"
            onPress={() => {
              if (copyText(copy.text)) announce('Copied');
              else announce('Could not be copied', 'assertive');
            }}
          />
        )}
      </dd>
    </>
  );
}
