import { memo } from 'react';
import './relief.css';

/** Four facets between an outer and an inner square, lit from the upper left. */
function Facets({
  x,
  y,
  outer,
  inner,
  tone,
}: {
  x: number;
  y: number;
  outer: number;
  inner: number;
  tone: string;
}) {
  const step = (outer - inner) / 2;
  const [left, top, right, bottom] = [x, y, x + outer, y + outer];
  const [l, t, r, b] = [left + step, top + step, right - step, bottom - step];
  return (
    <>
      <path className={`${tone}-1`} d={`M${left} ${top}H${right}L${r} ${t}H${l}z`} />
      <path className={`${tone}-3`} d={`M${right} ${top}V${bottom}L${r} ${b}V${t}z`} />
      <path className={`${tone}-4`} d={`M${right} ${bottom}H${left}L${l} ${b}H${r}z`} />
      <path className={`${tone}-2`} d={`M${left} ${bottom}V${top}L${l} ${t}V${b}z`} />
    </>
  );
}

/** One coffer in a square of `size` at `x`, `y`: frame, facets, frame, facets, floor. */
function Coffer({ x, y, size, tone }: { x: number; y: number; size: number; tone: 'relief' | 'mark' }) {
  const at = (part: number) => ({ x: x + part * size, y: y + part * size });
  const floor = { ...at(0.35), width: size * 0.3, height: size * 0.3 };
  const beam = { ...at(0.2), width: size * 0.6, height: size * 0.6 };
  return (
    <>
      <Facets {...at(0.09)} outer={size * 0.82} inner={size * 0.6} tone={tone} />
      <rect className={`${tone}-beam`} {...beam} />
      <Facets {...at(0.26)} outer={size * 0.48} inner={size * 0.3} tone={tone} />
      <rect className={`${tone}-floor`} {...floor} />
    </>
  );
}

const wallStep = 160;

/** The background of the first screen: fills its container, and one coffer is highlighted. */
export const ReliefWall = memo(function ReliefWall() {
  return (
    <svg className="relief-wall" width="100%" height="100%" aria-hidden="true">
      <pattern id="relief-wall" width={wallStep} height={wallStep} patternUnits="userSpaceOnUse">
        <Coffer x={0} y={0} size={wallStep} tone="relief" />
      </pattern>
      <rect width="100%" height="100%" fill="url(#relief-wall)" />
      <Coffer x={wallStep} y={2 * wallStep} size={wallStep} tone="mark" />
      <circle className="mark-point" cx={1.5 * wallStep} cy={2.5 * wallStep} r={8.8} />
    </svg>
  );
});

export function CofferMark() {
  return (
    <svg className="coffer-mark" viewBox="0 0 56 56" aria-hidden="true">
      <rect className="mark-beam" width="56" height="56" rx="13.16" />
      <Facets x={9.52} y={9.52} outer={36.96} inner={19.04} tone="mark" />
      <rect className="mark-floor" x="18.48" y="18.48" width="19.04" height="19.04" />
      <circle className="mark-point" cx="28" cy="28" r="3.64" />
    </svg>
  );
}

export type ReliefSymbol = 'arrow' | 'key' | 'clock';
const symbols: Readonly<Record<ReliefSymbol, string>> = {
  arrow: 'M60 70V50M52 58l8-8 8 8',
  clock: 'M50 60a10 10 0 1 0 20 0a10 10 0 1 0-20 0M60 54v6l4 3',
  key: 'M48 66a6 6 0 1 0 12 0a6 6 0 1 0-12 0M58.3 61.7 70 50M65 55l4.5 4.5',
};

type ReliefProps = { tone?: 'relief' | 'mark'; size?: number; symbol?: ReliefSymbol };

/** Illustration for empty states. The `mark` tone is for the drop overlay. */
export function CofferRelief({ tone = 'relief', size = 120, symbol = 'arrow' }: ReliefProps) {
  return (
    <svg
      className={`coffer-relief coffer-relief--${tone}`}
      width={size}
      height={size}
      viewBox="0 0 120 120"
      aria-hidden="true"
    >
      <rect className={`${tone}-beam`} width="120" height="120" rx="22" />
      <Coffer x={0} y={0} size={120} tone={tone} />
      <path className="coffer-relief__symbol" d={symbols[symbol]} />
    </svg>
  );
}
