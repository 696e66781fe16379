/** What package.json says of the repository. */
type Addresses = { homepage: string; repository: { type: 'git'; url: string }; bugs: { url: string } };

/**
 * For the package.json in packages: a checkout knows where it came from, and a fork is somewhere else.
 * @param env COFFER_HOMEPAGE is the repository's address
 * @returns null if that is not set
 * @throws Error: it is no https address
 */
export function repositoryAddresses({ COFFER_HOMEPAGE }: NodeJS.ProcessEnv): Addresses | null {
  if (!COFFER_HOMEPAGE) return null;
  if (URL.parse(COFFER_HOMEPAGE)?.protocol !== 'https:')
    throw new Error(
      `COFFER_HOMEPAGE is ${COFFER_HOMEPAGE}, and packages can name only an https address. Set it to the repository's.`,
    );
  const homepage = COFFER_HOMEPAGE.replace(/\/$/, '');
  return {
    homepage,
    repository: { type: 'git', url: `git+${homepage}.git` },
    bugs: { url: `${homepage}/issues` },
  };
}
