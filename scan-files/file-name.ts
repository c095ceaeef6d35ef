/** What a scan file's name tells: when it was taken and of which kingdom. */

const DAY = String.raw`(20\d\d)[-_.]?(0[1-9]|1[0-2])[-_.]?(0[1-9]|[12]\d|3[01])`;
// Of two days in a row the second is no time of the first.
const TIME = String.raw`(?:[T _-]+(?!20\d\d[-_.]?(?:0[1-9]|1[0-2])[-_.]?(?:0[1-9]|[12]\d|3[01])(?!\d))([01]\d|2[0-3])[:h_-]?([0-5]\d)(?:[:_-]?([0-5]\d))?(?![\d])Z?)?`;
const MOMENT = new RegExp(String.raw`(?<!\d)${DAY}(?!\d)${TIME}|(?<!\d)${DAY}(?!\d)`);

/**
 * The moment (epoch milliseconds, UTC) written in a text: `2025-12-17T2021Z`, `2025-12-17 20:21 UTC`, `20251217`,
 * `TOP300-2026-06-15-…`; a day alone is its midnight. Null where there is none.
 */
export function momentIn(text: string): number | null {
  const found = MOMENT.exec(text);
  if (!found) return null;
  const [year, month, day, hour = 0, minute = 0, second = 0] = found.slice(1, 7).map((part) => Number(part ?? 0));
  const at = Date.UTC(year as number, (month as number) - 1, day, hour, minute, second);
  // 31 February and its like roll over into the next month: they are no day.
  return new Date(at).getUTCDate() === day ? at : null;
}

/** All moments written in a text, in its order. */
export function momentsIn(text: string): number[] {
  const moments: number[] = [];
  for (let rest = text; ; ) {
    const found = MOMENT.exec(rest);
    if (!found) return moments;
    const moment = momentIn(found[0]);
    if (moment !== null) moments.push(moment);
    rest = rest.slice(found.index + found[0].length);
  }
}

/**
 * The kingdom's number in a file's name without folders: `1599_2024-11-20.csv`, `kingdom_3584_2025….xlsx`. The number
 * of ranks (`TOP300`) and the date are none. Null where there is none.
 */
export function kingdomIn(name: string): number | null {
  const rest = name
    .replace(/\.\w+$/, '')
    .replace(MOMENT, ' ')
    .replace(/top[\s_-]*\d+/i, ' ');
  const named = /(?:kingdom|server|kd)[\s_#-]*([1-9]\d{0,4})(?!\d)/i.exec(rest);
  const bare = /(?<![\p{L}\p{N}.])([1-9]\d{1,4})(?![\p{L}\p{N}.])/u.exec(rest);
  const number = named?.[1] ?? bare?.[1];
  return number === undefined ? null : Number(number);
}
