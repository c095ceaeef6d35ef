import { streamOf } from '../../files/stream-of.ts';
import { Gate, type Place } from '../../gate.ts';

/** From so many rows on a comparison counts as large: one is in memory at a time, the others wait. */
const LARGE_ROWS = 50_000;
const large = new Gate(1, 10_000);

const FREE: Place = { touch: () => {}, leave: () => {} };

/** A place for a comparison of so many rows, which whoever answers gives back. */
export const placeFor = async (rows: number): Promise<Place> => (rows > LARGE_ROWS ? large.enter() : FREE);

/** Does a piece of work on a comparison; where it fails, its place is given back. */
export async function inPlace<Made>(place: Place, work: () => Promise<Made>): Promise<Made> {
  try {
    return await work();
  } catch (error) {
    place.leave();
    throw error;
  }
}

/** The same answer; once it is sent, or nobody wants it any more, the place is given back. */
export function untilSent(response: Response, place: Place): Response {
  if (place === FREE || !response.body) {
    place.leave();
    return response;
  }
  return new Response(streamOf(response.body, place), response);
}
