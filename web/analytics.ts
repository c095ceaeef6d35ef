/**
 * Loads the analytics script at start (specification, section 2) where the build names one; its token goes with it.
 * The pages' Content-Security-Policy admits the same address (scripts/page-headers.ts).
 */
export function loadAnalytics(): void {
  const address: string | undefined = import.meta.env.VITE_ANALYTICS_SCRIPT;
  if (!address) return;
  const script = document.createElement('script');
  script.src = address;
  script.defer = true;
  script.dataset.token = import.meta.env.VITE_ANALYTICS_TOKEN ?? '';
  document.head.append(script);
}
