import { BlockList, isIPv6 } from 'node:net';
import { networkInterfaces } from 'node:os';

/**
 * Whether macOS may have kept us out of the local network. From macOS 15 on a program may reach addresses in the subnets of this computer
 * only with the person's consent (Apple's TN3179). Without it, connecting fails as if the other computer were switched off.
 * @param cause from Node: the failure of one address, or an AggregateError with that of each address of the host
 */
export function isLocalNetworkFailure(cause: unknown): boolean {
  if (process.platform !== 'darwin') return false;
  const failures: unknown[] = cause instanceof AggregateError ? cause.errors : [cause];
  return failures.some((each) => {
    const { code, address = '' } = each as { code?: string; address?: string };
    return code === 'EHOSTUNREACH' && isInSubnet(address.replace(/%.*/, ''));
  });
}

function isInSubnet(address: string): boolean {
  const subnets = new BlockList();
  for (const { internal, cidr, family } of Object.values(networkInterfaces()).flatMap((each) => each ?? [])) {
    const [network = '', bits] = cidr?.split('/') ?? [];
    if (!internal && bits) subnets.addSubnet(network, Number(bits), family === 'IPv6' ? 'ipv6' : 'ipv4');
  }
  return subnets.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}
