import { useCallback, useRef, useState } from 'react';

/** The inner size in pixels of the element with the returned ref; 0 until measured. */
export function useSize() {
  const element = useRef<HTMLDivElement>(null);
  const [size, setSize] = useState({ widthPx: 0, heightPx: 0 });
  const ref = useCallback((found: HTMLDivElement | null) => {
    element.current = found;
    if (found === null) return undefined;
    const measure = () => setSize({ widthPx: found.clientWidth, heightPx: found.clientHeight });
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(found);
    return () => observer.disconnect();
  }, []);
  return { ref, element, ...size };
}
