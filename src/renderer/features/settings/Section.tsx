import { Fragment, useEffect, useRef, type ReactNode } from 'react';
import type { Settings } from '../../../shared/domain/settings.ts';
import { reachSetting, usePlace } from '../../app/place.ts';
import type { Setting } from '../../app/setting.ts';
import { isFocusLost } from '../../ui/focus.ts';

/** Props of a section that edits `Settings`. */
export type SettingsSectionProps = {
  search: string;
  settings: Settings;
  onChange: (change: Partial<Settings>) => void;
};

/** A group of settings. While searching, shows only matches, or nothing. */
export function Section({
  title,
  settings,
  search,
}: {
  title: string;
  settings: readonly Setting[];
  search: string;
}) {
  const sought = search.trim().toLowerCase();
  const shown = settings.filter(({ name, hint, words = '' }) =>
    [title, name, typeof hint === 'string' ? hint : '', words].join(' ').toLowerCase().includes(sought),
  );
  if (shown.length === 0) return null;
  return (
    <section className="sets" tabIndex={-1}>
      <h2 className="sets__head">{title}</h2>
      <div>
        {shown.map(({ name, hint, control, below }) => (
          <Fragment key={name}>
            <div className={`set ${hint === undefined ? '' : 'set--two'}`}>
              <div className="set__words">
                <p className="set__name">{name}</p>
                {hint !== undefined && <p className="set__hint">{hint}</p>}
              </div>
              <Control name={name}>{control}</Control>
            </div>
            {below}
          </Fragment>
        ))}
      </div>
    </section>
  );
}

/** Gets the focus when Settings is opened for it, and keeps it when its focused button unmounts. */
function Control({ name, children }: { name: string; children: ReactNode }) {
  const ref = useRef<HTMLDivElement>(null);
  const focused = useRef<Element>(null);
  const isSought = usePlace(({ setting }) => setting === name);
  useEffect(() => {
    if (focused.current === null || focused.current.isConnected || !isFocusLost()) return;
    focused.current = null;
    ref.current?.querySelector<HTMLElement>('input, button')?.focus({ preventScroll: true });
  });
  useEffect(() => {
    if (!isSought) return;
    const within = (selector: string) => ref.current?.querySelector<HTMLElement>(selector);
    const control = within('[type="radio"]:checked') ?? within('input, button');
    control?.focus();
    // nearest: centring would also scroll the window's frame, which must not scroll.
    ref.current?.scrollIntoView({ block: 'nearest' });
    reachSetting();
  }, [isSought]);
  return (
    <div ref={ref} className="set__do" onFocus={({ target }) => (focused.current = target)}>
      {children}
    </div>
  );
}
