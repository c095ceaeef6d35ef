import { Hono } from 'hono';
import { nextOf } from '../../domain/answers.ts';
import { dollars } from '../../domain/money/money.ts';
import {
  balanceAnswer,
  lowBalance,
  statementFileQuery,
  statementPage,
  statementQuery,
  warningSet,
} from '../../domain/money/payment-contract.ts';
import { statementCsv } from '../files/statement.ts';
import { streamOf } from '../files/stream-of.ts';
import { answer } from '../http/answer.ts';
import { attachment } from '../http/attachment.ts';
import { answers, sends } from '../middleware/answers.ts';
import { signedIn, type UserEnv, viewerOf } from '../middleware/session.ts';
import { speakingIn } from '../middleware/speaking.ts';
import { validate } from '../middleware/validate.ts';
import { setThreshold } from '../models/money/alerts.ts';
import { type StatementLine, statementOf, statementPages } from '../models/money/ledger.ts';
import { showBalance } from '../services/payments/show-balance.ts';

const LINES_PER_PAGE = 50;

const line = ({ amount_cents, balance_cents, ...rest }: StatementLine) => ({
  ...rest,
  amount: dollars(amount_cents),
  balance: dollars(balance_cents),
});

export const balance = new Hono<UserEnv>()
  .get(
    '/account/balance',
    signedIn,
    answers('The balance and the warning threshold', balanceAnswer),
    async (context) => {
      return answer(context, await showBalance(context.get('db'), context.env, viewerOf(context)));
    },
  )
  .post(
    '/account/low-balance',
    signedIn,
    validate('json', lowBalance),
    answers('Set the threshold of the low-balance mail', warningSet),
    async (context) => {
      const { threshold } = context.req.valid('json');
      await setThreshold(context.get('db'), context.get('userId'), threshold);
      return answer(context, { threshold: threshold === null ? null : dollars(threshold) });
    },
  )
  .get(
    '/account/statement',
    signedIn,
    validate('query', statementQuery),
    answers('Entries of the ledger with running balance', statementPage),
    async (context) => {
      const query = context.req.valid('query');
      const lines = await statementOf(context.get('db'), context.get('userId'), query, LINES_PER_PAGE);
      return answer(context, {
        lines: lines.map(line),
        next: nextOf(lines, LINES_PER_PAGE, ({ entry_id }) => entry_id),
      });
    },
  )
  .get(
    '/account/statement/download',
    signedIn,
    validate('query', statementFileQuery),
    speakingIn('headers'),
    sends('The statement as CSV', 'text/csv'),
    async (context) => {
      const query = context.req.valid('query');
      const pages = statementPages(context.get('db'), context.get('userId'), query);
      return new Response(streamOf(statementCsv(pages)), {
        headers: {
          'content-type': 'text/csv; charset=utf-8',
          'content-disposition': attachment('statement', 'csv'),
          'cache-control': 'private, no-store',
        },
      });
    },
  );
