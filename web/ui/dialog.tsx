import { X } from 'lucide';
import { type ReactNode, useEffect, useId, useRef } from 'react';
import { Button } from './button.tsx';
import styles from './dialog.module.css';
import { Icon } from './icon.tsx';

/**
 * A window over the page, open as long as it is drawn; the platform's own keeps the focus and closes on Escape. Focus goes
 * back to where it was, which the platform forgets of a dialog that is taken away.
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
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes a dialog by itself; this is for a press beside it.
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
        A press on its content is none on the frame, which reaches as far as the ground around it. Nor is one that began
        there: who selects what he wrote may let go beside it.
      */}
      <div>{children}</div>
    </dialog>
  );
}

/** A window with a title and a button that closes it. */
export function Dialog({ title, close, children }: { title: string; close: () => void; children: ReactNode }) {
  const id = useId();
  return (
    <DialogFrame close={close} aria-labelledby={id}>
      <div className={styles.inner}>
        <header className={styles.head}>
          <h2 id={id}>{title}</h2>
          <Button look="bare" onClick={close} aria-label="Close">
            <Icon of={X} size={16} />
          </Button>
        </header>
        {children}
      </div>
    </DialogFrame>
  );
}

/** The buttons at the foot of a dialog. */
export const DialogActions = ({ children }: { children: ReactNode }) => (
  <div className={styles.actions}>{children}</div>
);
