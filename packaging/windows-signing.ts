import type { WindowsConfiguration } from 'electron-builder';

type Signing = Pick<WindowsConfiguration, 'azureSignOptions' | 'forceCodeSigning'>;

/** What Azure signs with: the account, and the profile of its certificate. None is secret. */
const names = [
  'COFFER_SIGNING_ENDPOINT',
  'COFFER_SIGNING_ACCOUNT',
  'COFFER_SIGNING_PROFILE',
  'COFFER_SIGNING_PUBLISHER',
] as const;

/**
 * Certificates for Windows are no longer sold as files: their keys stay at Microsoft (Azure Artifact Signing, once Trusted Signing), which electron-builder asks for
 * each signature. It logs in with AZURE_TENANT_ID, AZURE_CLIENT_ID and AZURE_CLIENT_SECRET.
 * @param env COFFER_RELEASE is the system whose packages are made for a release; COFFER_UNSIGNED is `true` where the release
 *   is a fork's
 * @throws Error: a release for Windows without an account, or an account of which only a part is named
 */
export function windowsSigning(env: NodeJS.ProcessEnv): Signing {
  const [endpoint, codeSigningAccountName, certificateProfileName, publisherName] = names.map(
    (name) => env[name],
  );
  if (endpoint && codeSigningAccountName && certificateProfileName && publisherName)
    return {
      azureSignOptions: { endpoint, codeSigningAccountName, certificateProfileName, publisherName },
      forceCodeSigning: true,
    };
  const missing = names.filter((name) => !env[name]);
  if (missing.length < names.length)
    throw new Error(
      `The packages for Windows cannot be signed without ${missing.join(', ')}. Set all of ${names.join(', ')}, or none (docs/releasing.md).`,
    );
  if (env['COFFER_RELEASE'] === 'win' && env['COFFER_UNSIGNED'] !== 'true')
    throw new Error(
      `A release for Windows needs an account that signs: without a signature Windows warns of each download. Set the variables ${names.join(', ')} (docs/releasing.md).`,
    );
  return {};
}
