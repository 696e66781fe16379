import { useLayoutEffect, useMemo, useRef, useState } from 'react';
import { Icon } from './Icon.tsx';
import type { IconName } from './icons.tsx';
import {
  fittingForm,
  fittingHead,
  folderForms,
  namesFolder,
  splitIdentifier,
  splitLeaf,
} from './identifier-parts.ts';
import './identifier.css';

/** Text widths without layout: one canvas, one resize observer, and a cache per font. */

const canvas = document.createElement('canvas');
const widths = new Map<string, Map<string, number>>();
const rememberedMax = 20_000;

/** In pixels, in the element's font; 0 where canvas is not available. */
function textWidth(element: Element, text: string): number {
  // `font` is empty when tabular figures are set: the shorthand cannot express them.
  const { fontStyle, fontWeight, fontSize, fontFamily } = getComputedStyle(element);
  const font = `${fontStyle} ${fontWeight} ${fontSize} ${fontFamily}`;
  let known = widths.get(font);
  if (known === undefined || known.size > rememberedMax) {
    known = new Map();
    widths.set(font, known);
  }
  let width = known.get(text);
  if (width === undefined) {
    const context = canvas.getContext('2d');
    if (context === null) return 0;
    context.font = font;
    width = context.measureText(text).width;
    known.set(text, width);
  }
  return width;
}

const listeners = new Map<Element, (width: number) => void>();
const observer = new ResizeObserver((entries) => {
  for (const { target, contentRect } of entries) listeners.get(target)?.(contentRect.width);
});

// A font's subsets load on first use: widths measured earlier used a fallback font.
document.fonts.addEventListener('loadingdone', () => {
  widths.clear();
  for (const [element, listener] of listeners) tellWidth(element, listener);
});

/**
 * Calls the listener at once, on each resize and when a font has loaded. Returns a function that stops. One listener
 * per element.
 */
function observeWidth(element: Element, listener: (width: number) => void): () => void {
  listeners.set(element, listener);
  observer.observe(element);
  tellWidth(element, listener);
  return () => {
    listeners.delete(element);
    observer.unobserve(element);
  };
}

function tellWidth(element: Element, listener: (width: number) => void): void {
  const { width } = element.getBoundingClientRect();
  // 0: not laid out yet; the observer will report it later.
  if (width > 0) listener(width);
}

/** Padding and icon of the stack badge beside its count, in pixels. */
const stackRoom = 26;

/**
 * Shows an identifier. Folders are dimmed and shortened first, by whole segments. The last part is cut only when no
 * folder is left, and keeps its end, which tells long names apart. A truncated identifier has a native tooltip with all
 * of it.
 */
export function Identifier({
  identifier,
  whole = identifier,
  separator = '/',
  icon,
  stack,
  keepsFolder = false,
  className,
  id,
}: {
  identifier: string;
  /** The complete identifier, where `identifier` is only its last part. */
  whole?: string;
  separator?: string;
  icon?: IconName;
  className?: string;
  /** The formatted number of versions in the stack, including this one. */
  stack?: string;
  /** A long last part leaves two fifths of the width to its folders, where they are what matters. */
  keepsFolder?: boolean;
  /** For `aria-labelledby` of the element it names. */
  id?: string;
}) {
  const room = useRef<HTMLSpanElement>(null);
  const { folders, leaf } = useMemo(() => splitIdentifier(identifier, separator), [identifier, separator]);
  const forms = useMemo(() => folderForms(folders, separator), [folders, separator]);
  const [fitting, setFitting] = useState(forms[0] ?? '');
  const [cutHead, setCutHead] = useState<string | null>(null);
  const parts = useMemo(() => splitLeaf(leaf), [leaf]);
  const [head, tail] = parts;
  const hasFolders = forms.length > 1;
  const isCut = keepsFolder && hasFolders && fitting === '';
  const folder = hasFolders ? (isCut ? (forms.findLast(namesFolder) ?? '') : fitting) : '';

  useLayoutEffect(() => {
    const element = room.current;
    // A short name without folders has nothing to choose from, and measuring costs a layout.
    if (element === null || (!hasFolders && parts[1] === '')) return;
    return observeWidth(element, (roomWidth) => {
      // Canvas text metrics ignore the layout's kerning and rounding: 2 % of slack avoids cutting a name by a pixel.
      const widthOf = (text: string) => textWidth(element, text) * 1.02;
      const stackWidth = stack === undefined ? 0 : widthOf(stack) + stackRoom;
      const leafWidth = widthOf(leaf) + 1 + stackWidth;
      // Beside a folder that is kept, the name has no room of its own to be measured.
      setCutHead(keepsFolder ? null : fittingHead(parts, roomWidth - 1 - stackWidth, widthOf));
      if (!hasFolders) return;
      setFitting(
        keepsFolder
          ? fittingForm(forms.filter(namesFolder), Math.min(leafWidth, roomWidth * 0.6), roomWidth, widthOf)
          : fittingForm(forms, leafWidth, roomWidth, widthOf),
      );
    });
  }, [hasFolders, forms, leaf, parts, stack, keepsFolder]);

  const isShort = folder !== (forms[0] ?? '');
  return (
    <span
      id={id}
      className={`id ${isCut ? 'id--cut-folder' : ''} ${className ?? ''}`}
      {...((isShort || keepsFolder || tail !== '' || whole !== identifier) && { title: whole })}
    >
      {icon !== undefined && <Icon name={icon} />}
      <span className="id__room" ref={room}>
        <bdi dir="ltr" className="id__folder" aria-hidden={isShort}>
          {folder}
        </bdi>
        {isShort && <span className="visually-hidden">{forms[0]}</span>}
        {cutHead !== null && <span className="visually-hidden">{leaf}</span>}
        <bdi dir="ltr" className="id__leaf" aria-hidden={cutHead !== null}>
          {tail === '' || (cutHead === null && !keepsFolder) ? (
            leaf
          ) : (
            <>
              {/* The ellipsis is where the text goes on, whatever its script. */}
              <span className="id__head" {...(cutHead !== null && { dir: 'auto' })}>
                {cutHead ?? head}
              </span>
              {tail}
            </>
          )}
        </bdi>
        {stack !== undefined && (
          <span className="id__stack figures">
            <Icon name="all" size={12} />
            {stack}
          </span>
        )}
      </span>
    </span>
  );
}
