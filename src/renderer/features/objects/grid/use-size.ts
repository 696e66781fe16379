import { useCallback, useRef, useState } from 'react';

/** The inner size of an element in pixels, through the ref it is given; 0 while it is not measured. */
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
