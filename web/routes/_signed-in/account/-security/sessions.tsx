import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { t } from '../../../../../domain/language/text.ts';
import { messageOf } from '../../../../api/client.ts';
import { endOtherSessions, endSession, type Session, sessionsQuery } from '../../../../api/security.ts';
import { Loaded } from '../../../../components/loaded.tsx';
import { Panel } from '../../../../components/panel.tsx';
import { Button } from '../../../../ui/button.tsx';
import layout from '../../../../ui/layout.module.css';
import { Notice } from '../../../../ui/notice.tsx';
import { T } from '../../../../ui/text.tsx';
import { Time } from '../../../../ui/time.tsx';
import styles from './lists.module.css';

/** Returns a device name such as 'Firefox on Windows' for a user agent. */
function deviceOf(userAgent: string): string {
  const browser = /Edg\//.test(userAgent)
    ? 'Edge'
    : /OPR\//.test(userAgent)
      ? 'Opera'
      : /Firefox\//.test(userAgent)
        ? 'Firefox'
        : /Chrome\//.test(userAgent)
          ? 'Chrome'
          : /Safari\//.test(userAgent)
            ? 'Safari'
            : null;
  const system = /Android/.test(userAgent)
    ? 'Android'
    : /iPhone|iPad/.test(userAgent)
      ? 'iOS'
      : (/Windows|Mac OS X|Linux/.exec(userAgent)?.[0].replace('Mac OS X', 'macOS') ?? null);
  return browser && system
    ? t('{browser} on {system}', { browser, system })
    : (browser ?? userAgent.slice(0, 40)) || t('Unknown device');
}

export function Sessions() {
  const client = useQueryClient();
  const sessions = useQuery(sessionsQuery);
  const refresh = () => client.invalidateQueries({ queryKey: sessionsQuery.queryKey });
  const ending = useMutation({ mutationFn: endSession, onSuccess: refresh });
  const endingOthers = useMutation({ mutationFn: endOtherSessions, onSuccess: refresh });
  const error = ending.error ?? endingOthers.error;
  return (
    <Panel title={t('Where you are signed in')} about={t('A session ends after 30 days without use.')}>
      {error && <Notice tone="danger">{messageOf(error)}</Notice>}
      <Loaded query={sessions} what={t('your sessions')} heights={['6rem']}>
        {(open) => (
          <ul className={styles.list}>
            {open.map((session) => (
              <SessionLine
                key={session.id}
                session={session}
                busy={ending.isPending && ending.variables === session.id}
                onEnd={() => ending.mutate(session.id)}
              />
            ))}
          </ul>
        )}
      </Loaded>
      {(sessions.data?.length ?? 0) > 1 && (
        <p>
          <Button busy={endingOthers.isPending} onClick={() => endingOthers.mutate()}>
            {t('Sign out everywhere else')}
          </Button>
        </p>
      )}
    </Panel>
  );
}

const SessionLine = ({ session, busy, onEnd }: { session: Session; busy: boolean; onEnd: () => void }) => (
  <li className={styles.line}>
    <div className={styles.words}>
      <p className={styles.title}>
        {deviceOf(session.user_agent)}
        {session.current && <span className={styles.badge}>{t('This one')}</span>}
        {session.two_factor && <span className={styles.badge}>{t('Two-factor')}</span>}
      </p>
      <p className={layout.quiet}>
        <T
          of="{value}last used {time}, signed in {start}"
          value={session.address && `${session.address} · `}
          time={<Time at={session.last_seen_at} />}
          start={<Time at={session.created_at} />}
        />
      </p>
    </div>
    {!session.current && (
      <Button busy={busy} onClick={onEnd}>
        {t('Sign out')}
      </Button>
    )}
  </li>
);
