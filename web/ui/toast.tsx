import { Toast } from '@base-ui/react/toast';
import { X } from 'lucide';
import type { ReactNode } from 'react';
import { Icon } from './icon.tsx';
import styles from './toast.module.css';

const manager = Toast.createToastManager();

/** Milliseconds that a toast stays; it waits while it is pointed at, has the focus or the window is not looked at. */
const STAYS = 15_000;

/** Shows a message over the page for a while and has it read aloud at the next pause. */
export const showToast = (title: string, description?: ReactNode): void => {
  manager.add({ title, description });
};

/** Closes whatever is shown. */
export const closeToasts = (): void => manager.close();

/** Where toasts appear. */
export const Toasts = () => (
  <Toast.Provider toastManager={manager} timeout={STAYS}>
    <Toast.Portal>
      <Toast.Viewport className={styles.viewport}>
        <List />
      </Toast.Viewport>
    </Toast.Portal>
  </Toast.Provider>
);

function List() {
  const { toasts } = Toast.useToastManager();
  return toasts.map((toast) => (
    <Toast.Root key={toast.id} toast={toast} className={styles.toast}>
      <Toast.Content className={styles.content}>
        <div>
          <Toast.Title className={styles.title} />
          <Toast.Description className={styles.description} render={<div />} />
        </div>
        <Toast.Close className={styles.close} aria-label="Close">
          <Icon of={X} size={16} />
        </Toast.Close>
      </Toast.Content>
    </Toast.Root>
  ));
}
