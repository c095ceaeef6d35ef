const V4_IN_V6 = /^::ffff:([\d.]+)$/i;

/**
 * Returns the network by which an address is counted and recognised. One customer usually holds all 2^64 addresses of
 * an IPv6 /64 network, may use a different one for each call, and gets a new one every day. An IPv4 address is its own
 * network.
 */
export function networkOf(address: string): string {
  if (!address.includes(':')) return address;
  const v4 = V4_IN_V6.exec(address)?.[1];
  if (v4) return v4;
  const [front = [], back = []] = address.split('::').map((part) => part.split(':').filter(Boolean));
  const between = address.includes('::') ? Array<string>(Math.max(0, 8 - front.length - back.length)).fill('0') : [];
  const groups = [...front, ...between, ...back].slice(0, 4);
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`;
}
