import { Link, useLocation } from '@tanstack/react-router';
import { Bell, BellRing } from 'lucide';
import { t } from '../../../domain/language/text.ts';
import { messageOf } from '../../api/client.ts';
import { useFollowing } from '../../api/following.ts';
import { Button, buttonClass } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Notice } from '../../ui/notice.tsx';
import { T } from '../../ui/text.tsx';
import { useSignedIn } from '../signed-in.tsx';

/** Follows an event, or a kingdom in it: its followers are told of each new scan. Leads visitors to the sign-in. */
export function FollowButton({ id, kingdom }: { id: number; kingdom: string | null }) {
  const signedIn = useSignedIn();
  const from = useLocation({ select: ({ pathname }) => pathname });
  const { following, choosing, follows } = useFollowing(signedIn);
  const on = follows(id, kingdom);
  if (!signedIn)
    return (
      <Link to="/login" search={{ from }} className={buttonClass()}>
        <Icon of={Bell} size={16} /> <T of="Follow" />
      </Link>
    );
  return (
    <>
      <Button
        aria-pressed={on}
        busy={choosing.isPending || following.isPending}
        title={t('A message after each new scan, with what changed. Choose the ways under Notifications.')}
        onClick={() => choosing.mutate({ dashboard_id: id, kingdom, on: !on })}
      >
        <Icon of={on ? BellRing : Bell} size={16} /> {on ? t('Following') : t('Follow')}
      </Button>
      {choosing.isError && <Notice tone="danger">{messageOf(choosing.error)}</Notice>}
    </>
  );
}
