import { type KeyboardEvent, type PointerEvent, useEffect, useEffectEvent, useState } from 'react';
import { formatHour, formatHourClock, formatWeekday } from '../../../shared/i18n/format.ts';
import type { Hour } from '../../../shared/domain/settings.ts';
import { inlineKey, isFromLeft } from '../../app/key-bindings.ts';
import { settingsTexts as texts } from '../../i18n/settings-texts.ts';
import { fill } from '../../i18n/rich.tsx';
import { useNow } from '../../app/use-now.ts';
import { cellRole, columnHeaderRole, gridRole, rowHeaderRole, rowRole } from '../../ui/aria-roles.ts';
import { Segmented } from '../../ui/Choice.tsx';
import { KeyHint } from '../../ui/KeyHint.tsx';
import './week.css';

const hoursOfDay = 24;
const daysOfWeek = 7;

/**
 * Sets all hours in the rectangle between two hours, by day and by time: dragging from Monday 08 to Friday 17 paints
 * the working week.
 */
export function paint(hours: readonly Hour[], from: number, to: number, brush: Hour): Hour[] {
  const between = (value: number, a: number, b: number) => value >= Math.min(a, b) && value <= Math.max(a, b);
  return hours.map((hour, index) =>
    between(dayOf(index), dayOf(from), dayOf(to)) && between(timeOf(index), timeOf(from), timeOf(to))
      ? brush
      : hour,
  );
}

function dayOf(index: number): number {
  return Math.floor(index / hoursOfDay);
}

function timeOf(index: number): number {
  return index % hoursOfDay;
}

/** The hour that a key moves to, within the week. */
function hourBeside(index: number, key: string): number | null {
  const day = dayOf(index);
  const time = timeOf(index);
  const way = inlineKey(key);
  if (way === 'start') return Math.max(time - 1, 0) + day * hoursOfDay;
  if (way === 'end') return Math.min(time + 1, hoursOfDay - 1) + day * hoursOfDay;
  switch (key) {
    case 'ArrowUp':
      return time + Math.max(day - 1, 0) * hoursOfDay;
    case 'ArrowDown':
      return time + Math.min(day + 1, daysOfWeek - 1) * hoursOfDay;
    case 'Home':
      return day * hoursOfDay;
    case 'End':
      return (day + 1) * hoursOfDay - 1;
    default:
      return null;
  }
}

/** Local time; the week begins on Monday. */
function hourAt(atMs: number): number {
  const at = new Date(atMs);
  return ((at.getDay() + 6) % daysOfWeek) * hoursOfDay + at.getHours();
}

/** `Wednesday 09:00 to 10:00`. */
export function hourName(index: number): string {
  return texts.hourOfDay({
    day: formatWeekday(dayOf(index)),
    from: formatHourClock(timeOf(index)),
    to: formatHourClock(timeOf(index) + 1),
  });
}

const kinds: readonly Hour[] = ['full', 'limited', 'paused'];
const days = Array.from({ length: daysOfWeek }, (_, day) => day);
const evenHours = Array.from({ length: hoursOfDay / 2 }, (_, at) => at * 2);

type Drag = { from: number; to: number };

/** The limit for each hour of the week: painted with the mouse or the keyboard, and applied after each stroke. */
export function Week({
  hours: saved,
  onChange,
}: {
  /** From Monday 00:00. */
  hours: readonly Hour[];
  onChange: (hours: Hour[]) => void;
}) {
  const [brush, setBrush] = useState<Hour>('limited');
  const [drag, setDrag] = useState<Drag | null>(null);
  const [cursor, setCursor] = useState(0);
  const [pointed, setPointed] = useState<number | null>(null);
  const hours = useStrokes(saved, onChange);
  const now = hourAt(useNow(60_000));
  const shown = drag === null ? hours.now : paint(hours.now, drag.from, drag.to, brush);
  const told = pointed ?? cursor;

  const finish = useEffectEvent(() => {
    if (drag !== null) hours.stroke(paint(hours.now, drag.from, drag.to, brush));
    setDrag(null);
  });
  const isDragging = drag !== null;
  useEffect(() => {
    if (!isDragging) return undefined;
    const up = () => finish();
    addEventListener('pointerup', up);
    addEventListener('pointercancel', up);
    return () => {
      removeEventListener('pointerup', up);
      removeEventListener('pointercancel', up);
    };
  }, [isDragging]);

  function takeKey(event: KeyboardEvent<HTMLElement>, index: number) {
    const next = hourBeside(index, event.key);
    if (next === null && event.key !== ' ' && event.key !== 'Enter') return;
    event.preventDefault();
    if (next === null) hours.stroke(paint(hours.now, index, index, brush));
    else {
      if (event.shiftKey) hours.stroke(paint(hours.now, index, next, brush));
      setCursor(next);
      setPointed(null);
      document.getElementById(cellId(next))?.focus();
    }
  }

  /** A grid cell can be painted in place; the grid is one Tab stop. */
  function cellAt(index: number) {
    return {
      ...cellRole,
      id: cellId(index),
      tabIndex: index === cursor ? 0 : -1,
      onKeyDown: (event: KeyboardEvent<HTMLElement>) => takeKey(event, index),
      onFocus: () => setCursor(index),
      onPointerDown: ({ button }: PointerEvent) => {
        if (button !== 0) return;
        setCursor(index);
        setDrag({ from: index, to: index });
      },
      onPointerEnter: () => {
        setPointed(index);
        if (drag !== null) setDrag({ from: drag.from, to: index });
      },
    };
  }

  return (
    <div className="week">
      <div className="week__brush">
        <span>{texts.brush}</span>
        <Segmented
          label={texts.brush}
          value={brush}
          choices={kinds.map((value) => ({
            value,
            label: texts.hour[value],
            mark: <span className={`hour hour--${value}`} aria-hidden="true" />,
          }))}
          onChange={setBrush}
        />
      </div>
      <div {...gridRole} aria-label={texts.hours} onPointerLeave={() => setPointed(null)}>
        <div {...rowRole} className="week__heads">
          <span {...columnHeaderRole}>
            <span className="visually-hidden">{texts.day}</span>
          </span>
          {evenHours.map((hour) => (
            <span key={hour} {...columnHeaderRole} aria-colspan={2}>
              {formatHour(hour)}
            </span>
          ))}
        </div>
        {days.map((day) => (
          <div key={day} {...rowRole} className="week__day">
            <span
              {...rowHeaderRole}
              className={dayOf(now) === day ? 'is-today' : ''}
              title={formatWeekday(day)}
            >
              <abbr aria-label={formatWeekday(day)}>{formatWeekday(day, 'short')}</abbr>
            </span>
            {shown.slice(day * hoursOfDay, (day + 1) * hoursOfDay).map((hour, time) => {
              const index = day * hoursOfDay + time;
              return (
                <span
                  key={index}
                  aria-label={texts.hourCell({ hour: hourName(index), state: texts.hour[hour] })}
                  className={`hour hour--${hour} ${index === now ? 'hour--now' : ''}`}
                  {...cellAt(index)}
                />
              );
            })}
          </div>
        ))}
      </div>
      <p className="week__foot">
        <span className="week__say">
          <span>{fill(texts.hourIs[shown[told] ?? 'full'], { hour: <b>{hourName(told)}</b> })}</span>
        </span>
        <span>
          <KeyHint keys="Space" />
          {texts.paint}
        </span>
        <span>
          <KeyHint keys={isFromLeft() ? 'Shift+→' : 'Shift+←'} />
          {texts.paintAlong}
        </span>
      </p>
    </div>
  );
}

function cellId(index: number): string {
  return `hour-${index}`;
}

/**
 * Strokes may follow faster than main's events: each continues from the last one, and events about earlier ones are
 * ignored.
 */
function useStrokes(saved: readonly Hour[], onChange: (hours: Hour[]) => void) {
  const [known, setKnown] = useState(saved);
  const [{ latest, passed }, setState] = useState({ latest: saved, passed: new Set<string>() });
  if (known !== saved) {
    setKnown(saved);
    const isLatest = saved.join() === latest.join();
    if (isLatest || !passed.has(saved.join())) setState({ latest: saved, passed: new Set() });
  }
  return {
    now: latest,
    stroke(next: Hour[]) {
      setState({ latest: next, passed: new Set(passed).add(latest.join()).add(next.join()) });
      onChange(next);
    },
  };
}
