import { join } from 'node:path';
import { DAY_MS } from '../domain/days.ts';
import type { Secrets } from './secrets.ts';
import { HISTORY, type SeedStep } from './seed/plan.ts';
import type { Settings } from './settings.ts';
import { readState, writeState } from './state.ts';

const areDays = (value: unknown): value is number[] =>
  Array.isArray(value) && value.every((day) => typeof day === 'number');

/**
 * Fills a local copy: the two sign-ins, the agent's group, the wars of the simulated world and its last
 * days, oldest first.
 * Days that are whole are noted in the copy's folder; one that was cut short is published again, which changes
 * nothing in what was there. A copy of real scans (`scansDir`) gets the sign-ins and the group alone: made-up people
 * would stand above real ones. `send` hands a step to scripts/seed/worker.ts.
 */
export async function seed(
  send: (step: SeedStep) => Promise<void>,
  secrets: Secrets,
  { stateDir, scansDir }: Pick<Settings, 'stateDir' | 'scansDir'>,
): Promise<void> {
  await send({ token: secrets.FLEET_TOKEN });
  const note = join(stateDir, 'seeded.json');
  const whole =
    readState(note, areDays, {
      lost: 'which days of the simulated world are there is',
      remedy: 'Delete it and start again: they are published once more, which changes nothing else.',
    }) ?? [];
  // By this file a later start knows that there was a database, whatever is in it.
  writeState(note, whole);
  if (scansDir) return;
  await send({ war: Date.now() });
  const today = Math.floor(Date.now() / DAY_MS) * DAY_MS;
  for (let day = today - HISTORY.days * DAY_MS; day < today; day += DAY_MS) {
    if (whole.includes(day)) continue;
    await send({ day });
    whole.push(day);
    writeState(note, whole);
  }
  await send({ now: Date.now() });
}
