import { useQuery } from '@tanstack/react-query';
import { message, t, words } from '../../../domain/language/text.ts';
import { type Alerts, alertsQuery, changeLimits } from '../../api/admin-watch.ts';
import { textOf } from '../../components/entry-page.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Nothing, Panel } from '../../components/panel.tsx';
import { TextField } from '../../ui/field.tsx';
import { Notice } from '../../ui/notice.tsx';
import { T } from '../../ui/text.tsx';
import { Time } from '../../ui/time.tsx';
import { Act } from './-act.tsx';

const FIELDS: readonly (readonly [name: keyof Alerts['limits'], label: string, most: number])[] = [
  ['waiting_minutes', message('Oldest subtask, in minutes'), 1440],
  ['silent_minutes', message('No bot of a game, in minutes'), 1440],
  ['failed_percent', message('Failed subtasks of an hour, in percent'), 100],
  ['database_percent', message('Size of the database, in percent'), 100],
  ['quiet_from', message('Quiet from (hour in UTC)'), 23],
  ['quiet_to', message('Quiet until (hour in UTC)'), 23],
];

const isHour = (name: string): boolean => name.startsWith('quiet');

const limitsOf = (form: FormData): Alerts['limits'] =>
  Object.fromEntries(
    FIELDS.map(([name]) => {
      const text = textOf(form, name);
      return [name, text === '' && isHour(name) ? null : Number(text)];
    }),
  ) as Alerts['limits'];

/** What is wrong now, and when admins are told. */
export function AlertsPanel() {
  const alerts = useQuery(alertsQuery);
  return (
    <Panel title={t('Alerts')} about={t('Told by mail and webhook, each once until it is over.')}>
      <Loaded query={alerts} what={t('the alerts')} heights={['5rem']}>
        {({ alerts: open, limits, version, quiet }) => (
          <>
            {quiet && <Notice>{t('Quiet hours: alerts are held back.')}</Notice>}
            {open.length === 0 && <Nothing>{t('Nothing is wrong.')}</Nothing>}
            {open.map(({ kind, text, since }) => (
              <Notice key={kind} tone="danger">
                <T of="{text} Since {time}." text={text} time={<Time at={since} />} />
              </Notice>
            ))}
            <div>
              <Act
                label={t('Change limits')}
                title={t('When admins are alerted')}
                about={t('Without quiet hours, alerts are sent at any time. Leave both hours empty for none.')}
                action={t('Save')}
                act={async (form) => {
                  await changeLimits({ ...limitsOf(form), version, reason: textOf(form, 'reason') });
                  return t('Saved.');
                }}
              >
                {FIELDS.map(([name, label, most]) => (
                  <TextField
                    key={name}
                    label={words(label)}
                    name={name}
                    type="number"
                    min={isHour(name) ? 0 : 1}
                    max={most}
                    required={!isHour(name)}
                    defaultValue={limits[name] ?? ''}
                  />
                ))}
              </Act>
            </div>
          </>
        )}
      </Loaded>
    </Panel>
  );
}
