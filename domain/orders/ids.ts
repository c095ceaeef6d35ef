/** Order ids are numbers or UUIDs and item ids are neither, so that calls which take either know which they got. */

/** Patterns of ids. */
export const UUID = '[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}';
export const ITEM = 'i[0-9a-f]{20}';
const IS_UUID = new RegExp(`^${UUID}$`, 'i');

/** The number of the order that an id names, or null if it names it by its UUID, or an item. */
export const orderNumberIn = (id: string): number | null => (/^\d+$/.test(id) ? Number(id) : null);

/** The UUID of the order that an id names, or null if it names it by its number, or an item. */
export const orderUuidIn = (id: string): string | null => (IS_UUID.test(id) ? id.toLowerCase() : null);

/** The item that an id names, or null if it names an order. */
export const itemIn = (id: string): string | null =>
  orderNumberIn(id) === null && orderUuidIn(id) === null ? id : null;
