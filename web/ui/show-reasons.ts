import styles from './show-reasons.module.css';

/** Shows the titles of '?' and of dotted figures when tapped, because touch screens show no titles. */

const EDGE = 16;
const GAP = 6;

/** Returns whether an element or something inside is underlined with dots, as figures with a note are. */
const isDotted = (element: HTMLElement): boolean =>
  [element, ...element.querySelectorAll('span')].some(
    (each) => getComputedStyle(each).textDecorationStyle === 'dotted',
  );

/** Returns the tapped element if it has a title and is a '?' or a dotted figure, or null. */
const notedAt = (target: EventTarget | null): HTMLElement | null => {
  const titled = target instanceof Element ? target.closest<HTMLElement>('[title]') : null;
  if (!titled?.title) return null;
  return titled.textContent?.trim().startsWith('?') || isDotted(titled) ? titled : null;
};

/** Adds the listeners to the document. Returns a function that removes them. */
export function showReasonsOnTap(document: Document): () => void {
  let shown: HTMLElement | null = null;
  const hide = () => {
    shown?.remove();
    shown = null;
  };
  const tell = ({ target }: Event) => {
    const noted = notedAt(target);
    hide();
    if (!noted) return;
    shown = document.createElement('div');
    shown.setAttribute('role', 'status');
    shown.className = styles.reason ?? '';
    shown.textContent = noted.title;
    document.body.append(shown);
    const [at, own] = [noted.getBoundingClientRect(), shown.getBoundingClientRect()];
    const { clientWidth, clientHeight } = document.documentElement;
    const below = at.bottom + GAP + own.height <= clientHeight;
    shown.style.top = `${below ? at.bottom + GAP : Math.max(EDGE, at.top - GAP - own.height)}px`;
    shown.style.left = `${Math.max(EDGE, Math.min(at.left, clientWidth - EDGE - own.width))}px`;
  };
  const onKey = ({ key }: KeyboardEvent) => {
    if (key === 'Escape') hide();
  };
  document.addEventListener('click', tell);
  document.addEventListener('keydown', onKey);
  document.addEventListener('scroll', hide, { capture: true, passive: true });
  return () => {
    hide();
    document.removeEventListener('click', tell);
    document.removeEventListener('keydown', onKey);
    document.removeEventListener('scroll', hide, { capture: true });
  };
}
