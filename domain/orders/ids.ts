/** Order ids are numbers and item ids are not, so that calls which take either know which they got. */

/** The number of the order that an id names, or null where it names an item. */
export const orderNumberIn = (id: string): number | null => (/^\d+$/.test(id) ? Number(id) : null);

/** The item that an id names, or null where it is the number of an order. */
export const itemIn = (id: string): string | null => (orderNumberIn(id) === null ? id : null);
