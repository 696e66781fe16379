/** Literal examples, the same in every language. */
export const connectExamples = {
  baseAddress: 'https://objects.example.org',
  proxyAddress: 'http://proxy.example.org:3128',
  template: '{path} {name} {stem} {ext} {date} {hash8}',
};
