import { HIDDEN_ID } from './profile.ts';

/** A governor's row in a stored board, from the id to the name, in the order in which boards are written. */
const ROW = /"governor_id":(\d+),"alliance_tag":"(?:[^"\\]|\\.)*","name":"(?:[^"\\]|\\.)*"/g;

/** Removes id, alliance and name of hidden governors from a stored board's JSON. Ranks and figures stay. */
export function withoutNames(json: string, hidden: ReadonlySet<number>): string {
  return json.replace(ROW, (row, id: string) =>
    hidden.has(Number(id)) ? `"governor_id":${HIDDEN_ID},"alliance_tag":"","name":""` : row,
  );
}
