import { Toast } from '@base-ui/react/toast';
import { X } from 'lucide';
import { useEffect, useRef } from 'react';
import { t } from '../../domain/language/text.ts';
import { Icon } from './icon.tsx';
import layout from './layout.module.css';
import styles from './toast.module.css';
import type { Message } from './toast.tsx';

/** How long a toast stays, in ms. The timer pauses while it is hovered or focused, or the window is inactive. */
const STAYS = 15_000;

/** Shows toasts. `messages` grows, and each message is shown once. */
export const ToastList = ({ messages }: { messages: readonly Message[] }) => (
  <Toast.Provider timeout={STAYS}>
    <Toast.Portal>
      <Toast.Viewport className={styles.viewport}>
        <List messages={messages} />
      </Toast.Viewport>
    </Toast.Portal>
  </Toast.Provider>
);

function List({ messages }: { messages: readonly Message[] }) {
  const { toasts, add } = Toast.useToastManager();
  const shown = useRef(0);
  useEffect(() => {
    for (const message of messages.slice(shown.current)) add(message);
    shown.current = messages.length;
  }, [messages, add]);
  return toasts.map((toast) => (
    <Toast.Root key={toast.id} toast={toast} className={styles.toast}>
      <Toast.Content className={styles.content}>
        <div>
          <Toast.Title className={styles.title} />
          <Toast.Description className={layout.quiet} render={<div />} />
        </div>
        <Toast.Close className={styles.close} aria-label={t('Close')}>
          <Icon of={X} size={16} />
        </Toast.Close>
      </Toast.Content>
    </Toast.Root>
  ));
}
