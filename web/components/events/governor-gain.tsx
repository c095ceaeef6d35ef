import type { EventRoom } from '../../api/events.ts';
import { Gain } from '../difference/gain.tsx';

/** Shows a governor's gain in a figure, marked if it is unverified. */
export function GovernorGain({
  of: { gains, doubted, doubt },
  figure,
}: {
  of: Pick<EventRoom['governors'][number], 'gains' | 'doubted' | 'doubt'>;
  figure: string;
}) {
  const value = gains[figure] ?? null;
  return <Gain value={value} raw={value} doubt={doubted.includes(figure) ? (doubt ?? 'fell') : null} />;
}
