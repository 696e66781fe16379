import { approvals } from './features/approvals/window.tsx';
import { edits } from './features/edits/window.tsx';
import { report } from './features/report/window.tsx';
import { team } from './features/team/window.tsx';
import { updates } from './features/updates/window.tsx';
import { watch } from './features/watch/window.tsx';
import type { WindowFeature } from './app/slots.tsx';

/** Features that the window can do without, in the order in which they show at a place. Nothing else imports them. */
// One a line, which goes with its feature (scripts/optional-rooms.test.js).
// oxfmt-ignore
export const features: readonly WindowFeature[] = [
  report,
  edits,
  watch,
  updates,
  team,
  approvals,
];
