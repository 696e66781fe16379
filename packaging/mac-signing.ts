import type { MacConfiguration } from 'electron-builder';

type Signing = Pick<MacConfiguration, 'identity' | 'notarize' | 'entitlements' | 'entitlementsInherit'>;

const entitled = (file: string): Signing => ({ entitlements: file, entitlementsInherit: file });

/**
 * Apple Silicon kills a program without a valid signature when it starts, and setting the fuses invalidates Electron's.
 * electron-builder signs again only with a certificate, or ad hoc for the identity `-` (app-builder-lib,
 * MacTargetHelper.js, findSigningIdentity). An ad-hoc signature has no team, so the hardened runtime would refuse Electron's own
 * frameworks: only that build disables library validation. Gatekeeper does not open it on other computers.
 * @param env CSC_LINK or CSC_NAME name the certificate; COFFER_RELEASE the system whose packages are made for a release
 * @throws Error: a release for macOS without a certificate
 */
export function macSigning({ CSC_LINK, CSC_NAME, COFFER_RELEASE }: NodeJS.ProcessEnv): Signing {
  if (CSC_LINK || CSC_NAME) return entitled('packaging/entitlements.mac.plist');
  if (COFFER_RELEASE === 'mac')
    throw new Error(
      'A release for macOS needs a certificate: without one no other computer opens it. Set the secret MAC_CERTIFICATE (docs/releasing.md).',
    );
  return { identity: '-', notarize: false, ...entitled('packaging/entitlements.mac.ad-hoc.plist') };
}
