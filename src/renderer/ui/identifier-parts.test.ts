import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  briefLeaf,
  fittingForm,
  fittingHead,
  folderForms,
  splitIdentifier,
  splitLeaf,
} from './identifier-parts.ts';

const widthOf = (text: string) => text.length;

describe('identifiers', () => {
  it('keep the end of a long last part, which tells names apart', () => {
    expect(splitLeaf('board-pack.pdf')).toEqual(['board-pack.pdf', '']);
    expect(splitLeaf('handover-notes.md')).toEqual(['handove', 'r-notes.md']);
    expect(briefLeaf('board-pack.pdf')).toBe('board-pack.pdf');
    expect(briefLeaf('quarterly-report-of-the-north-2026-1.pdf')).toBe('quarterly-repo…2026-1.pdf');
    expect(splitLeaf('quarterly-report-of-the-north-2026-1.pdf')).toEqual([
      'quarterly-report-of-the-north-',
      '2026-1.pdf',
    ]);
  });

  it('keep the extension of a long name in a right-to-left script', () => {
    const name = 'تقرير مالي للربع الثالث من السنة';
    expect(splitLeaf(`${name} Q3 final.pdf`)).toEqual([`${name} Q3 final`, '.pdf']);
    expect(fittingHead(splitLeaf(`${name}.pdf`), 20, widthOf)).toBe(`${name.slice(0, 15)}…`);
    expect(briefLeaf(`${name}.pdf`)).toBe(`${name}.pdf`);
  });

  it('are cut in the middle of a long last part, as late as possible, and keep the extension', () => {
    expect(splitLeaf('figures-of-the-north.spreadsheet')).toEqual(['figures-of-the-no', 'rth.spreadsheet']);
    expect(fittingHead(splitLeaf('board-pack.pdf'), 5, widthOf)).toBeNull();
    fc.assert(
      fc.property(fc.string({ minLength: 20, unit: 'grapheme' }), fc.nat(80), (leaf, room) => {
        const parts = splitLeaf(leaf);
        const [head, tail] = parts;
        expect(head + tail).toBe(leaf);
        const cut = fittingHead(parts, room, widthOf);
        expect(cut !== null || tail === '' || leaf.length <= room).toBe(true);
        if (cut === null) return;
        expect(head.startsWith(cut.slice(0, -1))).toBe(true);
        expect(cut === '…' || cut.length + tail.length <= room).toBe(true);
      }),
    );
  });

  it('drop whole segments, from the middle', () => {
    const { folders, leaf } = splitIdentifier('reports/2026/q2/board-pack.pdf', '/');
    expect(leaf).toBe('board-pack.pdf');
    expect(folderForms(folders, '/')).toEqual(['reports/2026/q2/', 'reports/…/q2/', 'reports/…/', '…/', '']);
    expect(folderForms([], '/')).toEqual(['']);
  });

  it('stay whole when there is room, and lose their folders before the last part', () => {
    const pieces = fc.array(fc.oneof(fc.string(), fc.constantFrom('/', ':', '::', '2026')));
    let shortened = 0;
    fc.assert(
      fc.property(pieces, fc.constantFrom('/', ':', '::'), fc.nat(80), (all, separator, room) => {
        const identifier = all.join('');
        const { folders, leaf } = splitIdentifier(identifier, separator);
        const forms = folderForms(folders, separator);
        expect((forms[0] ?? '') + leaf).toBe(identifier);
        const shown = fittingForm(forms, leaf.length, room, widthOf);
        expect(shown === '' || shown.length + leaf.length <= room).toBe(true);
        expect(room < identifier.length || shown + leaf === identifier).toBe(true);
        shortened += Number(shown !== '' && shown !== forms[0]);
      }),
    );
    expect(shortened).toBeGreaterThan(0);
  });
});
