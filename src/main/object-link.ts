import { checkObjectId } from '../shared/domain/object-id.ts';

/** `coffer://object?service=ADDRESS&id=IDENTIFIER`. Packages register the scheme (electron-builder.config.ts), on Windows `registerLinks` does. */
export const linkScheme = 'coffer';

export type ObjectLink = {
  /** Scheme, host, port and path prefix of the service, or `local`: the built-in one. */
  readonly address: string;
  readonly identifier: string;
};

const maxAddress = 2000;
/** Longer texts are not links: an identifier has at most 8,192 characters, each up to nine when encoded. */
const maxLength = 100_000;

export function makeLink({ address, identifier }: ObjectLink): string {
  const query = new URLSearchParams({ service: address, id: identifier });
  return `${linkScheme}://object?${query.toString()}`;
}

/** null: not a link as `makeLink` makes it. Anybody can write one, so the object may not exist. */
export function readLink(text: string): ObjectLink | null {
  if (text.length > maxLength) return null;
  const url = URL.parse(text);
  // Some systems add a slash after the host.
  if (url?.protocol !== `${linkScheme}:` || url.host !== 'object' || !/^\/?$/.test(url.pathname)) return null;
  const address = url.searchParams.get('service') ?? '';
  const identifier = url.searchParams.get('id') ?? '';
  const isAddress = address !== '' && address.length <= maxAddress;
  return isAddress && checkObjectId(identifier).ok ? { address, identifier } : null;
}
