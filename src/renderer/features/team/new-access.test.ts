import { expect, it } from 'vitest';
import type { CuratedArea } from '../../../shared/domain/team.ts';
import type { TeamMay } from '../../../shared/domain/team-choices.ts';
import { accessOfNew } from './AreaDialog.tsx';

let id = 0;
const area = (
  prefix: string,
  classification: string | null,
  ...mays: readonly (TeamMay | null)[]
): CuratedArea => ({
  id: (id += 1),
  prefix,
  classification,
  objects: 0,
  access: mays.flatMap((may, at) => (may === null ? [] : [{ personId: at + 1, may }])),
});
const whole = area('', null, 'contribute', 'read');
const hr = area('hr/', null, null, 'contribute');
const secret = area('', 'Secret', 'read', null);

it.each([
  ['a folder of the whole list', [whole, hr], 'press/', null, 'contribute', 'read'],
  ['a folder in a closed one', [whole, hr], 'hr/2026/', null, undefined, 'contribute'],
  ['a classification, of which some lie in a closed folder', [whole, hr], '', 'Secret', 'none', 'read'],
  ['a classification in a folder', [whole, hr], 'hr/', 'Secret', undefined, 'contribute'],
  [
    'a classification in a folder, taken from that of any',
    [whole, secret],
    'hr/',
    'Secret',
    'read',
    undefined,
  ],
  [
    'a folder, which takes nothing from an area of a classification',
    [whole, secret],
    'a/',
    null,
    'contribute',
    'read',
  ],
] as const)('gives nobody more than they had: %s', (_, areas, prefix, classification, first, second) => {
  const access = accessOfNew(areas, { prefix, classification });
  expect([access.get(1), access.get(2)]).toEqual([first, second]);
});
