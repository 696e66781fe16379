import { describe, expect, test } from 'vitest';
import { playTranscript } from '../../../test-support/command/transcript.ts';
import { startTeamServer } from '../../../test-support/main/team/team-database.ts';

const hasKeychain = process.platform === 'linux' && process.env['DBUS_SESSION_BUS_ADDRESS'] !== undefined;

describe.skipIf(!hasKeychain)('a curator', () => {
  const { createTeam, invitationOf } = startTeamServer();

  test('shows who is in the team, and who sees what', { tags: 'all' }, async () => {
    // One for the pipes and one for the terminal, which run at the same time.
    const teams = [await createTeam(), await createTeam()] as const;
    await expect(
      playTranscript({ with: 'none' }, async ({ coffer, world, isTerminal }) => {
        const team = teams[isTerminal ? 1 : 0];
        const address = world.env['ADDRESS'] ?? '';
        await team.owner.query('update coffer.list set origin = $1', [address]);
        for (const name of ['anna', 'ben']) await team.join(name, 2);
        const env = { SHARED: address, INVITATION: invitationOf(team, team.curator) };
        const quietly = (line: string) => coffer(`${line} --quiet > /dev/null`, { env });
        await quietly('coffer service add Shared "$SHARED" < token.txt');
        await quietly('coffer put a.txt b.txt --to reports');
        await coffer('coffer team areas');
        await quietly('printf %s "$INVITATION" | coffer team join');
        await coffer('coffer team areas');
        await coffer('coffer team add-area reports --keep-access');
        await coffer('coffer team add-area --classification confidential --json');
        await coffer('coffer team grant anna none --area 2');
        await coffer('coffer team grant anna read --area 3 --json');
        await coffer('coffer team areas');
        await coffer('coffer team areas --json');
        await coffer('coffer team grant carla read');
        await coffer('coffer team grant anna write');
        await coffer('coffer team grant anna read --area 9');
        await coffer('coffer team grant Curator contribute');
        await coffer('coffer team add-area');
        await coffer('coffer team add-area reports/');
        await coffer('coffer team remove-area 1');
        await coffer('coffer team remove-area two');
        await coffer('coffer team remove-area 2');
        await coffer('coffer team remove-area 2 --json');
        await coffer('coffer team share secrets');
        await coffer('coffer team share notes --stop --json');
        await coffer('coffer team share everything');
        await coffer('coffer team end anna --undo');
        await coffer('coffer team people');
        await coffer('coffer team invite-computer | cut -c1-14');
        await coffer('coffer team create --server db.example --list Files');
      }),
    ).resolves.toMatchFileSnapshot('curator.txt');
  });
});
