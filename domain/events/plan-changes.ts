import { HOUR_MS, minuteText } from '../days.ts';
import { exact, percentage, shortened } from '../figures.ts';
import { listed, t } from '../language/text.ts';
import type { EventPlan } from './event.ts';

/** A part of a plan that differs between two versions; null if a version does not have it. */
interface PlanChange {
  what: string;
  before: string | null;
  after: string | null;
}

const LONGEST = 200;

/** Returns a plan's parts by their titles. */
function partsOf(plan: EventPlan): Map<string, string> {
  const parts: [string, string | number][] = [
    [t('Name'), plan.name],
    [t('KvK id'), plan.kvk_id],
    [t('Season'), plan.season],
    [t('Start'), minuteText(plan.start)],
    [t('End'), minuteText(plan.end)],
    ...plan.camps.map(({ name, kingdoms }): [string, string] => [t('Camp {name}', { name }), listed(kingdoms)]),
    ...Object.entries(plan.dates).map(([label, ts]): [string, string] => [
      t('Moment {label}', { label }),
      minuteText(ts),
    ]),
    ...Object.entries(plan.weights).map(([key, weight]): [string, number] => [t('Weight of {key}', { key }), weight]),
    [t('Points deducted per power'), plan.power_off ?? 0],
    ...plan.goals.map(({ min_power, ...targets }): [string, string] => [
      t('Goal from {power}', { power: exact(min_power) }),
      listed(
        Object.entries(targets).flatMap(([target, amount]) => (amount === null ? [] : [`${target} ${exact(amount)}`])),
      ) || t('no target'),
    ]),
    ...Object.entries(plan.zeroed ?? {}).map(([id, off]): [string, string] => [
      t('Zeroed {id}', { id }),
      percentage(off),
    ]),
    ...plan.exempt.map((id): [string, string] => [
      t('Exempt {id}', { id }),
      plan.exempt_reasons?.[id] || t('without a reason'),
    ]),
    [t('Scan automatically'), plan.gather ? t('yes') : t('no')],
    [t('Minutes between scans'), plan.refresh_rate],
    [t('Scan depth'), plan.depth],
    [t('Publication delay'), plan.publication_delay],
    [t('Sponsored text'), plan.sponsored_text],
  ];
  return new Map(parts.map(([what, value]) => [what, shortened(String(value), LONGEST)]));
}

/** Returns the parts that differ between two plans. */
export function planChanges(before: EventPlan, after: EventPlan): PlanChange[] {
  const [old, now] = [partsOf(before), partsOf(after)];
  return [...new Set([...old.keys(), ...now.keys()])]
    .map((what) => ({ what, before: old.get(what) ?? null, after: now.get(what) ?? null }))
    .filter((change) => change.before !== change.after);
}

/**
 * Returns a plan for the next war like this one: the same camps, goals, weights and exempt governors. It starts at the
 * next full hour, its moments keep their distance from the start, and nobody is zeroed. The KvK id is missing.
 */
export function clonedPlan<Plan extends EventPlan>(plan: Plan, now: number): Plan {
  const start = Math.ceil(now / HOUR_MS) * HOUR_MS;
  const later = start - plan.start;
  return {
    ...plan,
    kvk_id: '',
    start,
    end: plan.end + later,
    dates: Object.fromEntries(Object.entries(plan.dates).map(([label, ts]) => [label, ts + later])),
    zeroed: {},
  };
}
