import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { renderInApp, testObject } from '../../../../../test-support/renderer/testing.tsx';
import { ObjectTile } from './ObjectTile.tsx';

function show(identifier: string, folder: string) {
  renderInApp(
    <div role="grid">
      <ObjectTile
        row={{ ...testObject, identifier }}
        index={0}
        rowIndex={0}
        columns={[]}
        separator="/"
        folder={folder}
        nowMs={0}
        isSelected={false}
        isCursor={false}
      />
    </div>,
  );
  return screen.getByRole('row').querySelector('.tile__facts')?.textContent;
}

it.each([
  ['photos/2026/beach.png', '', '202610 B'],
  ['photos/2026/beach.png', 'photos', '202610 B'],
  ['photos/beach.png', 'photos', '10 B'],
  ['beach.png', '', '10 B'],
])('%s in "%s" says the folder that is not the one shown', (identifier, folder, facts) => {
  expect(show(identifier, folder)).toBe(facts);
});
