/** Text widths without layout: one canvas, one resize observer, and a cache per font. */

const canvas = document.createElement('canvas');
const widths = new Map<string, Map<string, number>>();
const rememberedMax = 20_000;

/** In pixels, in the element's font; 0 where canvas is not available. */
export function textWidth(element: Element, text: string): number {
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
export function observeWidth(element: Element, listener: (width: number) => void): () => void {
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
