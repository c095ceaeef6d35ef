import { edited, type ScheduleAction, scheduleRefusal } from '../../../domain/orders/schedule.ts';
import type { ScheduleInfo } from '../../../domain/orders/schedule-contract.ts';
import type { Db } from '../../db/open.ts';
import { notFound, Refusal } from '../../errors.ts';
import {
  editSchedule,
  endSchedule,
  pauseSchedule,
  resumeSchedule,
  type Schedule,
  scheduleOf,
} from '../../models/orders/schedules.ts';

/** Identifies a user's schedule. */
interface NamedSchedule {
  userId: string;
  id: number;
}

async function found(db: Db, { userId, id }: NamedSchedule): Promise<Schedule> {
  const schedule = await scheduleOf(db, userId, id);
  if (!schedule) throw notFound('schedule');
  return schedule;
}

/** Returns why a change had no effect: the schedule does not exist or its state does not allow it. */
async function refusal(db: Db, named: NamedSchedule, action: ScheduleAction): Promise<Refusal> {
  const { state } = await found(db, named);
  return new Refusal(
    'conflict',
    scheduleRefusal(action, state) ?? 'The schedule changed just now. Please look at it again.',
  );
}

const CHANGES = {
  pause: (db: Db, { userId, id }: NamedSchedule) => pauseSchedule(db, userId, id),
  resume: async (db: Db, named: NamedSchedule) => resumeSchedule(db, await found(db, named)),
  end: (db: Db, { userId, id }: NamedSchedule) => endSchedule(db, userId, id),
};

/** Pauses, resumes or ends a user's schedule. @throws Refusal not_found, or conflict if its state does not allow it. */
export async function changeSchedule(db: Db, named: NamedSchedule, action: keyof typeof CHANGES): Promise<void> {
  if (!(await CHANGES[action](db, named))) throw await refusal(db, named, action);
}

/** Changes the times of a user's schedule. @throws Refusal invalid if no run is left, not_found, or conflict. */
export async function editTimes(db: Db, named: NamedSchedule, asked: ScheduleInfo): Promise<void> {
  const schedule = await found(db, named);
  const times = edited(schedule, asked, Date.now());
  if (times.next_at === null && scheduleRefusal('edit', schedule.state) === null)
    throw new Refusal('invalid', 'scheduleInfo: no run is left. Choose a later start, a later end or a repeat.');
  if (!(await editSchedule(db, schedule, times))) throw await refusal(db, named, 'edit');
}
