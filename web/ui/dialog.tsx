import { X } from 'lucide';
import { type ReactNode, useEffect, useId, useRef } from 'react';
import { t } from '../../domain/language/text.ts';
import { Button } from './button.tsx';
import styles from './dialog.module.css';
import { Icon } from './icon.tsx';

/**
 * A native modal dialog, open while rendered; the browser traps focus and closes it on Escape. Restores focus on
 * removal, which browsers do not.
 */
export function DialogFrame({
  close,
  className = '',
  children,
  ...name
}: { close: () => void; className?: string | undefined; children: ReactNode } & (
  | { 'aria-label': string }
  | { 'aria-labelledby': string }
)) {
  const dialog = useRef<HTMLDialogElement>(null);
  const pressed = useRef<EventTarget>(null);
  useEffect(() => {
    const before = document.activeElement;
    dialog.current?.showModal();
    return () => {
      if (before instanceof HTMLElement) before.focus({ preventScroll: true });
    };
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: browsers close dialogs on Escape; this handles clicks outside.
    <dialog
      ref={dialog}
      {...name}
      className={`${styles.dialog} ${className}`}
      onClose={close}
      onPointerDown={({ target }) => {
        pressed.current = target;
      }}
      onClick={({ target }) => target === dialog.current && target === pressed.current && close()}
    >
      {/*
       * The wrapper keeps clicks on the content from counting as clicks on the frame. A press that began on the content
       * does not count either: a user who selects text may release the button outside.
       */}
      <div>{children}</div>
    </dialog>
  );
}

/** A dialog with a title and a close button. */
export function Dialog({ title, close, children }: { title: string; close: () => void; children: ReactNode }) {
  const id = useId();
  return (
    <DialogFrame close={close} aria-labelledby={id}>
      <div className={styles.inner}>
        <header className={styles.head}>
          <h2 id={id}>{title}</h2>
          <Button look="bare" onClick={close} aria-label={t('Close')}>
            <Icon of={X} size={16} />
          </Button>
        </header>
        {children}
      </div>
    </DialogFrame>
  );
}

/** Buttons at the bottom of a dialog. */
export const DialogActions = ({ children }: { children: ReactNode }) => (
  <div className={styles.actions}>{children}</div>
);

/** The buttons of a form in a dialog: the way back, and the act that submits it. */
export const FormActions = ({ close, action, busy }: { close: () => void; action: ReactNode; busy: boolean }) => (
  <DialogActions>
    <Button look="plain" onClick={close}>
      {t('Go back')}
    </Button>
    <Button type="submit" look="primary" busy={busy}>
      {action}
    </Button>
  </DialogActions>
);
