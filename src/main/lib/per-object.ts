/**
 * Remembers the result for each object, for what every request asks of the same one. The objects must not change.
 *
 * @example
 * const originOf = perObject((service: Service) => new URL(service.address).origin);
 */
export function perObject<T extends object, Result extends string>(
  make: (object: T) => Result,
): (object: T) => Result {
  const known = new WeakMap<T, Result>();
  return (object) => {
    const found = known.get(object);
    if (found !== undefined) return found;
    const made = make(object);
    known.set(object, made);
    return made;
  };
}
