import { fireEvent, screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { expectAccessible, renderInApp } from '../../../../../test-support/renderer/testing.tsx';
import { useCommand } from '../../../app/commands.ts';
import { usePlaceMenu } from './PlaceMenu.tsx';

const onNewFolder = vi.fn<() => void>();
const headRole = { role: 'columnheader' } as const;

function Place() {
  const { open, menu } = usePlaceMenu('photos');
  useCommand('newFolder', onNewFolder);
  return (
    <>
      <div onContextMenu={open}>
        <div className="empty">
          <p>Nothing here</p>
          <button type="button">Upload files</button>
        </div>
        <div className="objects-grid">
          <div {...headRole}>Name</div>
          <div data-testid="row" onContextMenu={(event) => event.preventDefault()} />
        </div>
      </div>
      {menu}
    </>
  );
}

it('makes a folder from the menu of the empty area', async () => {
  const { user } = renderInApp(<Place />);
  fireEvent.contextMenu(screen.getByText('Nothing here'), { clientX: 5, clientY: 6 });
  const menu = await screen.findByRole('menu', { name: 'photos' });
  await expectAccessible(menu);
  expect(screen.getAllByRole('menuitem').map((item) => item.getAttribute('data-key'))).toEqual([
    'newFolder',
    'upload',
  ]);
  await user.click(screen.getByRole('menuitem', { name: /^New folder/ }));
  expect(onNewFolder).toHaveBeenCalledOnce();
  expect(screen.queryByRole('menu')).toBeNull();
});

it('has no menu for buttons, headings, and rows, which have their own', () => {
  renderInApp(<Place />);
  for (const other of [screen.getByRole('button'), screen.getByText('Name'), screen.getByTestId('row')])
    fireEvent.contextMenu(other);
  expect(screen.queryByRole('menu')).toBeNull();
});
