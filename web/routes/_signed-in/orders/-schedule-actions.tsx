import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { t } from '../../../../domain/language/text.ts';
import { centsOf } from '../../../../domain/money/money.ts';
import { type ScheduleAction, scheduleRefusal } from '../../../../domain/orders/schedule.ts';
import { ApiError, messageOf } from '../../../api/client.ts';
import {
  editSchedule,
  endSchedule,
  pauseSchedule,
  resumeSchedule,
  type Schedule,
  schedulesQuery,
} from '../../../api/schedules.ts';
import { Confirmation } from '../../../components/confirmation.tsx';
import { Button } from '../../../ui/button.tsx';
import { Dialog, FormActions } from '../../../ui/dialog.tsx';
import layout from '../../../ui/layout.module.css';
import { Notice } from '../../../ui/notice.tsx';
import { fieldOf, scheduleInfoOf, type Timing } from './-timing.ts';
import { TimingFields } from './-timing-fields.tsx';

/** A mutation of a schedule that refetches the list. */
function useChange<Input = void>(change: (input: Input) => Promise<unknown>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSettled: () => client.invalidateQueries({ queryKey: schedulesQuery.queryKey }),
  });
}

/** Actions on a schedule; none once it has ended. */
export function ScheduleActions({ schedule }: { schedule: Schedule }) {
  const { schedule_id, state } = schedule;
  const [open, setOpen] = useState<'edit' | 'end' | null>(null);
  const close = () => setOpen(null);
  const allows = (action: ScheduleAction) => scheduleRefusal(action, state) === null;
  const pause = useChange(() => pauseSchedule(schedule_id));
  const resume = useChange(() => resumeSchedule(schedule_id));
  const turned = pause.error ?? resume.error;
  const end = useChange(() => endSchedule(schedule_id));
  return (
    <div className={layout.wrap}>
      {allows('pause') && (
        <Button look="plain" busy={pause.isPending} onClick={() => pause.mutate()}>
          {t('Pause')}
        </Button>
      )}
      {allows('resume') && (
        <Button look="plain" busy={resume.isPending} onClick={() => resume.mutate()}>
          {t('Resume')}
        </Button>
      )}
      {allows('edit') && (
        <Button look="plain" onClick={() => setOpen('edit')}>
          {t('Edit times')}
        </Button>
      )}
      {allows('end') && (
        <Button look="plain" onClick={() => setOpen('end')}>
          {t('End schedule')}
        </Button>
      )}
      {turned && <Notice tone="danger">{messageOf(turned)}</Notice>}
      {open === 'edit' && <EditTimes schedule={schedule} close={close} />}
      {open === 'end' && (
        <Confirmation
          title={t('End schedule #{schedule_id}?', { schedule_id: String(schedule_id) })}
          action={t('End schedule')}
          doing={end}
          close={close}
        >
          {t('It places no further orders. Those that it placed stay, with their results.')}
        </Confirmation>
      )}
    </div>
  );
}

/** Converts a schedule to form values. */
const timingOf = ({ start_at, end_at, period, interval }: Schedule): Timing => ({
  later: true,
  start: fieldOf(start_at),
  end: fieldOf(end_at),
  period,
  interval: String(interval),
});

function EditTimes({ schedule, close }: { schedule: Schedule; close: () => void }) {
  const [timing, setTiming] = useState(() => timingOf(schedule));
  const edit = useChange(async () => {
    const info = scheduleInfoOf(timing, { hasStart: true });
    if (info === null || typeof info === 'string') throw new ApiError(info ?? t('Choose when it starts.'), 400);
    await editSchedule(schedule.schedule_id, info);
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!edit.isPending) edit.mutate(undefined, { onSuccess: close });
  };
  return (
    <Dialog title={t('Times of schedule #{schedule_id}', { schedule_id: String(schedule.schedule_id) })} close={close}>
      <form className={layout.stack} onSubmit={submit} noValidate>
        <TimingFields
          timing={timing}
          change={setTiming}
          blankStart={t('Leave blank to keep it as it is.')}
          price={schedule.total === null ? null : centsOf(schedule.total)}
        />
        {edit.error && <Notice tone="danger">{messageOf(edit.error)}</Notice>}
        <FormActions close={close} action={t('Save times')} busy={edit.isPending} />
      </form>
    </Dialog>
  );
}
