import { useState } from 'react';
import { t } from '../../domain/language/text.ts';
import { Button } from '../ui/button.tsx';
import { useHydrated } from '../ui/use-hydrated.ts';
import styles from './cookie-banner.module.css';

/** Consent is stored in its own cookie for a year (specification, sections 2 and 9). */
const isSecure = (): boolean => location.protocol === 'https:';
const nameOf = (): string => (isSecure() ? '__Host-muster_consent' : 'muster_consent');
const DAYS = 365;

const isGiven = (): boolean => document.cookie.split('; ').some((cookie) => cookie.startsWith(`${nameOf()}=`));

function give(): void {
  const secure = isSecure() ? '; Secure' : '';
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser yet.
  document.cookie = `${nameOf()}=1; Max-Age=${DAYS * 86_400}; Path=/; SameSite=Lax${secure}`;
}

/**
 * The cookie notice, shown until accepted. It stands above the page instead of covering it. The Worker renders it for
 * everyone; public/first-paint.js hides it before the first paint if it was accepted.
 */
export function CookieBanner() {
  const hydrated = useHydrated();
  const [open, setOpen] = useState(true);
  if (!open || (hydrated && isGiven())) return null;
  const understand = () => {
    give();
    setOpen(false);
  };
  return (
    <section className={styles.banner} aria-label={t('Cookies')}>
      <p>{t('This website uses cookies to enhance the user experience.')}</p>
      <Button look="primary" onClick={understand}>
        {t('I understand')}
      </Button>
    </section>
  );
}
