import { expect, it } from 'vitest';
import { turnDock, useDock } from './dock.ts';

it.each([
  { isNarrow: false, isOpen: false, opens: true },
  { isNarrow: true, isOpen: false, opens: false },
  { isNarrow: true, isOpen: true, opens: true },
])(
  'selects the tab of a new transfer, and never covers the list automatically: %o',
  ({ isNarrow, isOpen, opens }) => {
    useDock.setState({ tab: 'details', isNarrow, isOpen });
    turnDock('transfers');
    expect(useDock.getState()).toMatchObject({ tab: 'transfers', isNarrow, isOpen: opens });
  },
);

it('stays on its tab while it is pinned', () => {
  useDock.setState({ tab: 'details', isNarrow: false, isOpen: false, isPinned: true });
  turnDock('transfers');
  expect(useDock.getState()).toMatchObject({ tab: 'details', isOpen: false });
  useDock.setState({ isPinned: false });
});
