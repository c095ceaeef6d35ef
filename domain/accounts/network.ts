const V4_IN_V6 = /^::ffff:([\d.]+)$/i;

/**
 * The network by which an address is counted and known again: whoever has one address of IPv6 has all 2^64 of its network,
 * could call from another one each time, and is given another one every day. An address of IPv4 is a network of its own.
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
