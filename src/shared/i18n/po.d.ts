/** Compiled by `packaging/message-plugin.ts`. */
declare module '*.po' {
  // oxlint-disable-next-line typescript/consistent-type-imports -- an import declaration would make this file a module
  export const catalogue: import('./messages.ts').Catalogue;
}
