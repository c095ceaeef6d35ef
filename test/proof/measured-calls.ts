import { median, milliseconds } from '../../bench/report.ts';
import type { Source } from '../../fleet/sources/source.ts';
import { governorsOf } from './own-copy.ts';

/** Calls of users and bots with their times, for proofs under load. */

export interface Answered {
  what: string;
  ms: number;
  /** 0 if no answer came. */
  status: number;
  told: string;
}

/** Rows that are read already, because the service is measured, not the world. */
export function readySource(ids: readonly number[], governors: number): Source {
  const kingdoms = new Map(ids.map((kingdom) => [kingdom, governorsOf(kingdom, governors)]));
  return {
    name: 'made up',
    describe: () => 'made up',
    canScan: async () => ({ rok: [...ids] }),
    scan: async (_, kingdom, at) => ({ captured_at: at, source: 'made up', rows: kingdoms.get(kingdom) ?? [] }),
  };
}

const at = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;

/** A lease refused while other bots hand in rows is no failure, because the bot asks again. */
export const isPutOff = ({ what, status }: Answered): boolean => what === 'bots: lease' && status === 503;
export const hasFailed = (answer: Answered): boolean =>
  (answer.status === 0 || answer.status >= 400) && !isPutOff(answer);

/** Returns the calls by kind, with their rate and times. */
export function tableOf(answered: readonly Answered[], seconds: number): Record<string, string>[] {
  const rows = [...Map.groupBy(answered, ({ what }) => what), ['all', answered] as const];
  return rows.map(([what, calls]) => {
    const times = calls.map(({ ms }) => ms).sort((a, b) => a - b);
    return {
      what,
      calls: String(calls.length),
      'a second': (calls.length / seconds).toFixed(1),
      median: milliseconds(median(times)),
      '95 %': milliseconds(at(times, 0.95)),
      worst: milliseconds(at(times, 1)),
      failed: String(calls.filter(hasFailed).length),
    };
  });
}

/** Records the calls of bots and how long they took. */
export function measured(answered: Answered[], stop: AbortSignal): typeof fetch {
  return async (input, init) => {
    const begun = performance.now();
    const what = `bots: ${String(input).split('/').at(-1)}`;
    const note = (status: number, told: string) => answered.push({ what, ms: performance.now() - begun, status, told });
    try {
      const answer = await fetch(input, init);
      note(answer.status, '');
      return answer;
    } catch (error) {
      if (!stop.aborted) note(0, String(error));
      throw error;
    }
  };
}
