import { parseDate } from '@internationalized/date';
import { memo, type ReactNode } from 'react';
import {
  Button as AriaButton,
  Calendar,
  CalendarCell,
  CalendarGrid,
  DateInput,
  DatePicker,
  DateSegment,
  Dialog,
  Group,
  Heading,
  Label,
  Popover,
} from 'react-aria-components';
import { Below, type LabelPlace } from './Field.tsx';
import { focusHere } from './focus.ts';
import { Icon } from './Icon.tsx';
import { usePopoverBounds } from './popover-bounds.ts';
import './day-field.css';

/**
 * A date field in the language of the window: the browser's own uses the system's.
 * Memoized: it has a part each for day, month and year.
 * @param value YYYY-MM-DD, `''`: none
 */
export const DayField = memo(function DayField({
  label,
  labelPlace = 'above',
  value,
  hint,
  problem,
  isBegun = false,
  onChange,
  onKey,
}: {
  label: string;
  labelPlace?: LabelPlace;
  value: string;
  hint?: ReactNode;
  problem?: string | undefined;
  /** Gets the focus when mounted. */
  isBegun?: boolean;
  onChange: (value: string) => void;
  /** Enter and Escape, while the calendar is closed. */
  onKey?: (key: string) => void;
}) {
  const bounds = usePopoverBounds();
  return (
    <DatePicker
      {...(isBegun ? focusHere : {})}
      value={value === '' ? null : parseDate(value)}
      onChange={(day) => onChange(day?.toString() ?? '')}
      isInvalid={problem !== undefined}
      shouldForceLeadingZeros
      className={`field field--${labelPlace} day-field`}
      onKeyDown={(event) => {
        if (!onKey || (event.key !== 'Escape' && event.key !== 'Enter')) return;
        event.stopPropagation();
        onKey(event.key);
      }}
    >
      <Label className="field__label">{label}</Label>
      <Group
        className={`input input--line input--${labelPlace === 'hidden' ? 'regular' : 'large'} day-field__line`}
      >
        <DateInput className="day-field__parts">
          {(segment) => <DateSegment segment={segment} className="day-field__part" />}
        </DateInput>
        <AriaButton className="day-field__open">
          <Icon name="calendar" />
        </AriaButton>
      </Group>
      <Below hint={hint} problem={problem} />
      <Popover className="pop day-field__pop" offset={4} {...bounds}>
        <Dialog className="day-field__dialog">
          <Calendar>
            <header className="day-field__head">
              <AriaButton slot="previous" className="day-field__step">
                <Icon name="left" />
              </AriaButton>
              <Heading className="day-field__month" />
              <AriaButton slot="next" className="day-field__step">
                <Icon name="right" />
              </AriaButton>
            </header>
            <CalendarGrid className="day-field__grid">
              {(date) => <CalendarCell date={date} className="day-field__day" />}
            </CalendarGrid>
          </Calendar>
        </Dialog>
      </Popover>
    </DatePicker>
  );
});
