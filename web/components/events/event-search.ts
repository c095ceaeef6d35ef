/** What the address says of a dashboard; defaults are left out. */
export interface EventSearch {
  /** 1 Individual, 2 Summarized, 3 Download (specification, section 2). */
  tab?: 2 | 3 | undefined;
  /** Snapshots or labelled moments, epoch milliseconds. */
  start?: number | undefined;
  end?: number | undefined;
  q?: string | undefined;
  camp?: string | undefined;
  /** A kingdom, or a domain of one. */
  home?: string | undefined;
  alliance?: string | undefined;
  /** Least power at the start. */
  power?: number | undefined;
  /** Who: those who joined, left or did not fight. */
  who?: 'joined' | 'gone' | 'idle' | 'doubted' | undefined;
  sort?: string | undefined;
  ascending?: true | undefined;
  /** From 1. */
  page?: number | undefined;
  size?: number | undefined;
  /** Weights of one's own, as 'killcount_t4:10,killcount_t5:20'. */
  weights?: string | undefined;
  /** The governor whose score is explained. */
  open?: number | undefined;
  /** What camps and kingdoms are compared by. */
  metric?: string | undefined;
  /** Without any chrome, for other sites. */
  embed?: true | undefined;
}

export const PAGE_SIZES = [10, 25, 50, 100] as const;
export const DEFAULT_SIZE = 50;
const WHO = ['joined', 'gone', 'idle', 'doubted'] as const;

const whole = (value: unknown, least: number): number | undefined => {
  const number = Number(value);
  return value !== undefined && value !== '' && Number.isSafeInteger(number) && number >= least ? number : undefined;
};
const text = (value: unknown): string | undefined =>
  (typeof value === 'string' && value !== '') || typeof value === 'number' ? String(value) : undefined;

/** Reads an address that anyone may have written: what makes no sense is left out. */
export function eventSearch(search: Record<string, unknown>): EventSearch {
  const tab = Number(search.tab);
  const size = Number(search.size);
  const page = whole(search.page, 2);
  return {
    tab: tab === 2 || tab === 3 ? tab : undefined,
    start: whole(search.start, 1),
    end: whole(search.end, 1),
    q: text(search.q),
    camp: text(search.camp),
    home: text(search.home),
    alliance: text(search.alliance),
    power: whole(search.power, 1),
    who: WHO.find((known) => known === search.who),
    sort: text(search.sort),
    ascending: search.ascending === true || search.ascending === 'true' || undefined,
    page,
    size: PAGE_SIZES.some((known) => known === size) && size !== DEFAULT_SIZE ? size : undefined,
    weights: text(search.weights),
    open: whole(search.open, 1),
    metric: text(search.metric),
    embed: search.embed === true || search.embed === 'true' || search.embed === 1 || undefined,
  };
}

const MOST_WEIGHTS = 12;
const LARGEST_WEIGHT = 1000;

/** Weights out of an address; null where it names none that can be read, so that the event's own count. */
export function weightsOf(written: string | undefined): Record<string, number> | null {
  if (!written) return null;
  const pairs = written.split(',', MOST_WEIGHTS).flatMap((pair): [string, number][] => {
    const [, key = '', weight] = /^([a-z][a-z0-9_]*):(-?\d+(?:\.\d+)?)$/.exec(pair) ?? [];
    return key !== '' && Math.abs(Number(weight)) <= LARGEST_WEIGHT ? [[key, Number(weight)]] : [];
  });
  return pairs.length > 0 ? Object.fromEntries(pairs) : null;
}

/** Weights as an address holds them; nothing where they are the event's own. */
export function writtenWeights(
  weights: Readonly<Record<string, number>>,
  own: Readonly<Record<string, number>>,
): string | undefined {
  const write = (all: Readonly<Record<string, number>>) =>
    Object.entries(all)
      .filter(([, weight]) => weight !== 0)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([key, weight]) => `${key}:${weight}`)
      .join();
  return write(weights) === write(own) ? undefined : write(weights);
}
