import { Menu as Base } from '@base-ui/react/menu';
import type { ReactElement, ReactNode } from 'react';
import styles from './menu.module.css';

/** A list of links that a button opens. `trigger` is the button; `links` are elements such as a router's link. */
export function LinkMenu({
  trigger,
  children,
  align = 'start',
}: {
  trigger: ReactElement;
  children: ReactNode;
  align?: 'start' | 'end';
}) {
  return (
    <Base.Root modal={false}>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner className={styles.positioner} align={align} sideOffset={6} collisionPadding={8}>
          <Base.Popup className={styles.popup}>{children}</Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

/** One link of the menu. */
export const MenuLink = ({ link, indented = false }: { link: ReactElement; indented?: boolean }) => (
  <Base.LinkItem render={link} closeOnClick className={`${styles.item} ${indented ? styles.indented : ''}`} />
);

/** A line between parts of the menu. */
export const MenuLine = () => <Base.Separator className={styles.line} />;
