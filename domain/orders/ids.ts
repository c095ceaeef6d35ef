/** Order ids are numbers or UUIDs, and item ids are neither, so calls that accept both can tell them apart. */

export const UUID = '[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}';
export const ITEM = 'i[0-9a-f]{20}';
const IS_UUID = new RegExp(`^${UUID}$`, 'i');

/** Returns the order number in an id; null for a UUID or an item id. */
export const orderNumberIn = (id: string): number | null => (/^\d+$/.test(id) ? Number(id) : null);

/** Returns the order UUID in an id; null for a number or an item id. */
export const orderUuidIn = (id: string): string | null => (IS_UUID.test(id) ? id.toLowerCase() : null);

/** Returns the item id; null if the id names an order. */
export const itemIn = (id: string): string | null =>
  orderNumberIn(id) === null && orderUuidIn(id) === null ? id : null;
