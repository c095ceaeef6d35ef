/** The logo: a tally of five. Takes the text colour. */
export const Logo = ({ size = 22 }: { size?: number }) => (
  <svg width={size} height={size} viewBox="0 0 32 32" fill="none" stroke="currentColor" aria-hidden>
    <path d="M8 6v20M13.3 6v20M18.7 6v20M24 6v20" strokeWidth="2.6" strokeLinecap="round" />
    <path d="M3 22.5 29 9.5" stroke="var(--accent)" strokeWidth="3.2" strokeLinecap="round" />
  </svg>
);
