import { act, render } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { Identifier } from './Identifier.tsx';

it('measures an identifier again when its font finishes loading', () => {
  let charPx = 10;
  const measureText = (text: string) => ({ width: text.length * charPx });
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue({
    measureText,
  } as unknown as RenderingContext);
  vi.spyOn(Element.prototype, 'getBoundingClientRect').mockReturnValue({ width: 120 } as DOMRect);
  const { container } = render(<Identifier identifier="reports/2026/july.pdf" />);
  const shown = () => container.querySelector('.id__folder')?.textContent;
  expect(shown()).toBe('…/');
  charPx = 5;
  act(() => void document.fonts.dispatchEvent(new Event('loadingdone')));
  expect(shown()).toBe('reports/2026/');
});

it("measures no identifier without folders, and drops the previous name's folders", () => {
  const measure = vi
    .spyOn(Element.prototype, 'getBoundingClientRect')
    .mockReturnValue({ width: 120 } as DOMRect);
  const { container, rerender } = render(<Identifier identifier="reports/july.pdf" />);
  expect(container.querySelector('.id__folder')?.textContent).not.toBe('');
  measure.mockClear();
  rerender(<Identifier identifier="july.pdf" />);
  expect(container.querySelector('.id__folder')?.textContent).toBe('');
  expect(measure).not.toHaveBeenCalled();
});

it('with keepsFolder, names a folder beside a long name, shortened if necessary', () => {
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue({
    measureText: (text: string) => ({ width: text.length * 5 }),
  } as unknown as RenderingContext);
  vi.spyOn(Element.prototype, 'getBoundingClientRect').mockReturnValue({ width: 200 } as DOMRect);
  const name = 'a-very-long-name-of-a-report-that-fills-the-whole-room-2026.pdf';
  const folderOf = (identifier: string, keepsFolder: boolean) => {
    const { container } = render(<Identifier keepsFolder={keepsFolder} identifier={identifier} />);
    const isCut = container.querySelector('.id--cut-folder') !== null;
    return [container.querySelector('.id__folder')?.textContent, isCut];
  };
  expect(folderOf(`archive/2026/${name}`, false)).toEqual(['', false]);
  expect(folderOf(`archive/2026/${name}`, true)).toEqual(['archive/2026/', false]);
  expect(folderOf(`archive/of/the/north/2026/${name}`, true)).toEqual(['archive/…/2026/', false]);
  const long = 'everything-of-the-northern-department/';
  expect(folderOf(long + name, true)).toEqual([long, true]);
  expect(folderOf('july.pdf', true)).toEqual(['', false]);
});
