/** Compiled by `packaging/po-plugin.ts`. */
declare module '*.po' {
  export const catalogue: Readonly<Record<string, string>>;
}
