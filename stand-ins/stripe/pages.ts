import type { Books, Intent, Session } from './books.ts';

/** The stand-in's pages. Each starts with a notice that no money moves. */

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

const usd = (cents: number): string => `${(cents / 100).toFixed(2)} USD`;

const STYLE = `
  :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
  body { margin: 0 auto; max-width: 34rem; padding: 2rem 1.25rem; }
  .note { border: 2px solid #c98a00; border-radius: 8px; padding: .75rem 1rem; }
  .amount { font-size: 2.25rem; font-weight: 650; margin: 1.5rem 0; font-variant-numeric: tabular-nums; }
  button { font: inherit; font-weight: 600; padding: .6rem 1.1rem; border-radius: 8px; border: 1px solid; cursor: pointer; }
  button.pay { width: 100%; background: #4b5bd7; border-color: #4b5bd7; color: #fff; }
  form { display: inline-block; margin: 0 .5rem .5rem 0; } form.whole { display: block; margin: 0 0 1rem; }
  li { margin: 1rem 0; }`;

const page = (title: string, body: string): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${title} · test payment</title><style>${STYLE}</style></head>
<body><p class="note"><strong>This is a test payment.</strong> A stand-in for Stripe on this machine: no money moves.</p>
${body}
<p><small><a href="/">Other events at Stripe: refunds, disputes</a></small></p></body></html>`;

const button = (action: string, label: string, kind = ''): string =>
  `<form method="post" action="${action}"${kind ? ' class="whole"' : ''}><button class="${kind}">${label}</button></form>`;

export function checkoutPage(session: Session): string {
  if (session.status !== 'open') return page('Payment', '<p>This payment has ended.</p>');
  return page(
    'Checkout',
    `<h1>Muster balance</h1><p class="amount">${usd(session.amount_total)}</p>
     ${button(`/checkout/${session.id}/pay`, `Pay ${usd(session.amount_total)} (test payment)`, 'pay')}
     ${button(`/checkout/${session.id}/pay-later`, 'Pay by a transfer that takes days (test payment)')}
     <p><a href="${escaped(session.cancel_url)}">Cancel</a></p>`,
  );
}

export const receiptPage = (intent: Intent): string =>
  page(
    'Receipt',
    `<h1>Receipt</h1><p class="amount">${usd(intent.amount)}</p>
     <p>Muster balance, paid ${new Date(intent.created * 1000).toISOString().slice(0, 10)}. ${intent.id}</p>`,
  );

export function portalPage(books: Books, customer: string, back: string): string {
  const paid = Object.values(books.intents).filter((intent) => intent.customer === customer);
  const rows = paid.map(({ id, amount }) => `<li>${usd(amount)} · <a href="/receipts/${id}">Receipt</a></li>`);
  const home = /^https?:\/\//.test(back) ? `<p><a href="${escaped(back)}">Back to Muster</a></p>` : '';
  return page('Billing', `<h1>Billing portal</h1><ul>${rows.join('')}</ul>${home}`);
}

/** The dashboard: what a merchant can do there (refunds), and what banks do. */
export function dashboardPage(books: Books): string {
  const paid = Object.values(books.intents).filter(({ status }) => status === 'succeeded');
  const payments = paid.map(
    ({ id, amount }) => `<li>${usd(amount)} ${id}<br>
      ${button(`/test/intents/${id}/refund`, 'Refund')} ${button(`/test/intents/${id}/dispute`, 'Dispute')}</li>`,
  );
  const pending = Object.values(books.sessions)
    .filter(({ payment_intent }) => books.intents[payment_intent ?? '']?.status === 'processing')
    .map(
      ({ id, amount_total }) => `<li>${usd(amount_total)} on its way from a bank<br>
      ${button(`/test/sessions/${id}/arrive`, 'Let it arrive')} ${button(`/test/sessions/${id}/bounce`, 'Let it bounce')}</li>`,
    );
  const refunds = Object.values(books.refunds).map(
    ({ id, amount, status }) => `<li>Refund of ${usd(amount)}, ${status}<br>
      ${status === 'succeeded' ? button(`/test/refunds/${id}/fail`, 'Let it fail') : ''}</li>`,
  );
  const disputes = Object.values(books.disputes).map(
    ({ id, amount, status }) => `<li>Dispute of ${usd(amount)}, ${status}<br>
      ${status === 'won' ? '' : button(`/test/disputes/${id}/win`, 'Win it')}</li>`,
  );
  return page('Payments', `<h1>Payments</h1><ul>${[...pending, ...payments, ...refunds, ...disputes].join('')}</ul>`);
}
