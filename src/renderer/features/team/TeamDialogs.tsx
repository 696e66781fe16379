import { useEffect } from 'react';
import { DialogPane } from '../../app/Pane.tsx';
import { useServices } from '../../app/stores.ts';
import { closeTeamDialog, useTeam, useTeamDialog } from './teams.ts';
import { CreateDialog } from './CreateDialog.tsx';
import { JoinDialog } from './JoinDialog.tsx';
import { LeaveDialog } from './LeaveDialog.tsx';
import { ManageDialog } from './ManageDialog.tsx';
import { SignInDialog } from './SignInDialog.tsx';
import './team.css';

/** Dialogs for services without a team. */
const ofNoTeam: ReadonlySet<string> = new Set(['join', 'create']);

/** Rendered once in the window; `openTeamDialog` opens them. */
export function TeamDialogs() {
  const { services } = useServices();
  const { open } = useTeamDialog();
  const team = useTeam(open?.serviceId ?? null);
  const service = services.find(({ id }) => id === open?.serviceId);
  // The team may be left with the command line: the dialog must not reopen when it is joined again.
  const isGone = open !== null && !ofNoTeam.has(open.kind) && service !== undefined && team === null;
  useEffect(() => {
    if (isGone) closeTeamDialog();
  }, [isGone]);
  if (open === null || service === undefined) return null;
  const of = { service, onClose: closeTeamDialog };
  return (
    <DialogPane onClose={closeTeamDialog}>
      {open.kind === 'join' && <JoinDialog key={open.invitation} {...of} invitation={open.invitation} />}
      {open.kind === 'create' && <CreateDialog {...of} />}
      {open.kind === 'manage' && team && <ManageDialog {...of} team={team.status} />}
      {open.kind === 'signIn' && team && <SignInDialog {...of} team={team.status} />}
      {open.kind === 'leave' && team && <LeaveDialog {...of} team={team.status} />}
    </DialogPane>
  );
}
