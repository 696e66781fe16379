/** Text widths without layout: one canvas, one observer, and the answers remembered per font. */

const canvas = document.createElement('canvas');
const widths = new Map<string, Map<string, number>>();
const rememberedMax = 20_000;

/** In pixels, in the element's own font; 0 where there is no canvas. */
export function textWidth(element: Element, text: string): number {
  // The shorthand is empty where figures are tabular, which it has no word for.
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

// Each script's part of a face is loaded when it is first met: what was measured before was another face.
document.fonts.addEventListener('loadingdone', () => {
  widths.clear();
  for (const [element, listener] of listeners) tellWidth(element, listener);
});

/** Calls at once, after each change and when a font has come; answers a function that stops. An element has one listener. */
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
  // 0: not laid out yet. The observer tells when it is.
  if (width > 0) listener(width);
}
