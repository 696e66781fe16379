import { create } from 'zustand';
import type { TeamPerson, TeamStatus } from '../../../shared/domain/team.ts';
import type { Client } from '../../app/client.ts';
import { createRemoteStore, type RemoteStore } from '../../app/remote-store.ts';
import { useFeatureStore, useRemoteStore } from '../../app/stores.ts';

/** How current a service's copy of the team's list is, and the team's people. */
export type TeamKnown = { status: TeamStatus; people: readonly TeamPerson[] };

/** The teams of all services that have one, by the service's id. */
export function createTeams(client: Client): RemoteStore<ReadonlyMap<string, TeamKnown>> {
  const load = async (serviceId: string): Promise<[string, TeamKnown][]> => {
    const { team } = await client.call('team.status', { serviceId });
    if (team === null) return [];
    const { people } = await client.call('team.people', { serviceId });
    return [[serviceId, { status: team, people }]];
  };
  return createRemoteStore({
    subscribe: (changed) => {
      const stops = [
        client.on('team.changed', () => changed()),
        client.on('services.changed', () => changed()),
      ];
      return () => stops.forEach((stop) => stop());
    },
    load: async () => {
      const { services } = await client.call('services.list');
      const known = await Promise.all(services.map(({ id }) => load(id)));
      return new Map(known.flat());
    },
  });
}

/** Null until known. */
export function useTeams(): ReadonlyMap<string, TeamKnown> | null {
  return useRemoteStore(useFeatureStore(createTeams)).value;
}

/** The team of a service; null: none, or not loaded yet. */
export function useTeam(serviceId: string | null): TeamKnown | null {
  const teams = useTeams();
  return (serviceId !== null && teams?.get(serviceId)) || null;
}

type TeamDialog = {
  kind: 'join' | 'signIn' | 'leave' | 'manage' | 'create';
  serviceId: string;
  /** The initial text. */
  invitation?: string;
};

/** The open dialog of a team; the window renders it. */
export const useTeamDialog = create<{ open: TeamDialog | null }>()(() => ({ open: null }));

export function openTeamDialog(kind: TeamDialog['kind'], serviceId: string, invitation?: string): void {
  useTeamDialog.setState({ open: { kind, serviceId, ...(invitation !== undefined && { invitation }) } });
}

export function closeTeamDialog(): void {
  useTeamDialog.setState({ open: null });
}
