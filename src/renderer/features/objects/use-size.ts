import { useCallback, useState } from 'react';

/** The inner size of an element in pixels, through the ref it is given; 0 while it is not measured. */
export function useSize() {
  const [size, setSize] = useState({ widthPx: 0, heightPx: 0 });
  const ref = useCallback((element: HTMLElement | null) => {
    if (element === null) return undefined;
    const measure = () => setSize({ widthPx: element.clientWidth, heightPx: element.clientHeight });
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return { ref, ...size };
}
