import { listed, t } from '../../domain/language/text.ts';
import { counted, date } from '../format.ts';
import { Notice } from '../ui/notice.tsx';

const MOST_NAMED = 5;

/** Names the days whose scans have only the time of their file for a moment. */
export function FileDays({ days }: { days: readonly string[] }) {
  if (days.length === 0) return null;
  const named = days.slice(-MOST_NAMED).map((day) => date(day));
  if (days.length > MOST_NAMED) named.unshift(counted(days.length - MOST_NAMED, 'earlier day'));
  const last = named.at(-1) ?? '';
  const list = named.length === 1 ? last : t('{days} and {last}', { days: listed(named.slice(0, -1)), last });
  return (
    <Notice>
      {days.length === 1
        ? t('The scan of {list} does not say when it was made. It stands here by the time of its file.', { list })
        : t('The scans of {list} do not say when they were made. They stand here by the times of their files.', {
            list,
          })}
    </Notice>
  );
}
