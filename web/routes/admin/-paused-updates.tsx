import { focusManager } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { t } from '../../../domain/language/text.ts';
import styles from './admin.module.css';

const isSelecting = (): boolean => {
  const selection = document.getSelection();
  return selection !== null && !selection.isCollapsed && selection.toString().trim() !== '';
};

/** Pauses the polling of admin pages while text is selected, because an update would take the selection away. */
export function PausedUpdates() {
  const [paused, setPaused] = useState(false);
  useEffect(() => {
    const look = () => setPaused(isSelecting());
    document.addEventListener('selectionchange', look);
    return () => document.removeEventListener('selectionchange', look);
  }, []);
  useEffect(() => {
    // TanStack Query polls only pages that have the focus, and catches up when it returns.
    if (paused) focusManager.setFocused(false);
    return () => focusManager.setFocused(undefined);
  }, [paused]);
  return (
    <p role="status" className={styles.paused} hidden={!paused}>
      {paused && t('Updates pause while you select.')}
    </p>
  );
}
