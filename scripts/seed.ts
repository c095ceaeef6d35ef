import { join } from 'node:path';
import { DAY_MS } from '../domain/days.ts';
import type { Secrets } from './secrets.ts';
import { HISTORY, type SeedStep } from './seed/plan.ts';
import type { Settings } from './settings.ts';
import { readState, writeState } from './state.ts';

const areDays = (value: unknown): value is number[] =>
  Array.isArray(value) && value.every((day) => typeof day === 'number');

/**
 * Fills a local copy with two accounts, the agent's group, and the wars and last days of the simulated world, oldest
 * first. Completed days are recorded in the copy's folder. An interrupted day is published again, which changes nothing
 * that exists. A copy of real scans (`scansDir`) gets the accounts and the group only, because made-up people would
 * rank above real ones. `send` passes a step to scripts/seed/worker.ts.
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
  // This file tells later starts that a database existed, even if it is empty.
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
