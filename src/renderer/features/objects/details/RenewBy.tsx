import { useState } from 'react';
import type { ObjectRow } from '../../../../shared/contract.ts';
import { dueReminder, momentOf, renewBySchema } from '../../../../shared/domain/secret.ts';
import { errorLine } from '../../../../shared/i18n/error-text.ts';
import { formatDate } from '../../../../shared/i18n/format.ts';
import { useClient } from '../../../app/client.ts';
import { useAct } from '../../../app/use-act.ts';
import { commonTexts } from '../../../i18n/common-texts.ts';
import { secretTexts } from '../../../i18n/secret-texts.ts';
import { Button, IconButton } from '../../../ui/Button.tsx';
import { DayField } from '../../../ui/DayField.tsx';
import { focusHere } from '../../../ui/focus.ts';
import { State } from '../../../ui/State.tsx';
import './renew-by.css';

const texts = secretTexts.renewal;

/** In the list, if the renewal is due soon or overdue. */
export function RenewalMark({ row, nowMs }: { row: Pick<ObjectRow, 'renewBy'>; nowMs: number }) {
  const { renewBy } = row;
  if (renewBy == null) return null;
  const due = dueReminder(renewBy, nowMs);
  if (due === null) return null;
  return (
    <span className="renewal-mark" title={texts.by({ date: formatDate(momentOf(renewBy)) })}>
      <State {...toneOf(due)}>{due === 0 ? texts.now : texts.soon}</State>
    </span>
  );
}

/** In Details: the renewal date, and a field to change it. */
export function RenewBy({ object, nowMs }: { object: ObjectRow; nowMs: number }) {
  const client = useClient();
  const { id, renewBy = null } = object;
  const [draft, setDraft] = useState<string | null>(null);
  /** Returns the focus to the button that began editing. */
  const [wasOpen, setWasOpen] = useState(false);
  const act = useAct();
  const save = (day: string | null) =>
    void act.run(async () => {
      if (day !== renewBy) await client.call('objects.setRenewBy', { id, renewBy: day });
      setDraft(null);
    });
  if (draft === null) {
    return (
      <span className="renew-by">
        <span>
          <Day renewBy={renewBy} nowMs={nowMs} />
        </span>
        <IconButton
          icon="pencil"
          label={texts.edit}
          size="small"
          {...(wasOpen ? focusHere : {})}
          onPress={() => {
            setDraft(renewBy ?? '');
            setWasOpen(true);
          }}
        />
      </span>
    );
  }
  return (
    <span className="renew-by__edit">
      <DayField
        label={texts.label}
        labelPlace="hidden"
        value={draft}
        isBegun
        problem={act.error ? errorLine(act.error) : undefined}
        onChange={setDraft}
        onKey={(key) => {
          if (key === 'Escape') setDraft(null);
          else if (key === 'Enter' && isDay(draft)) save(draft);
        }}
      />
      <span className="renew-by__acts">
        <Button kind="line" size="small" isDisabled={!isDay(draft)} onPress={() => save(draft)}>
          {texts.save}
        </Button>
        {renewBy !== null && (
          <Button size="small" onPress={() => save(null)}>
            {commonTexts.remove}
          </Button>
        )}
        <Button size="small" onPress={() => setDraft(null)}>
          {commonTexts.cancel}
        </Button>
      </span>
    </span>
  );
}

/** Coloured when it is near; says so when it is overdue. */
function Day({ renewBy, nowMs }: { renewBy: string | null; nowMs: number }) {
  if (renewBy === null) return <span className="fields__dim">{texts.none}</span>;
  const due = dueReminder(renewBy, nowMs);
  const date = formatDate(momentOf(renewBy));
  if (due === null) return date;
  return <State {...toneOf(due)}>{due === 0 ? texts.over({ date }) : date}</State>;
}

/** @param due the reminder, in days before; 0: today or overdue */
function toneOf(due: number) {
  return due === 0 ? ({ icon: 'warn', tone: 'bad' } as const) : ({ icon: 'clock', tone: 'wait' } as const);
}

export function isDay(text: string): boolean {
  return renewBySchema.safeParse(text).success;
}
