import { message } from '../language/text.ts';
import { PAY_RULE } from '../orders/pay-rule.ts';

/** Why a user that has not accepted the licence that holds cannot order. */
export const LICENCE_FIRST = message('Please accept the licence before you order.');

/** The licence until admins publish another version. */
export const FIRST_LICENCE_VERSION = 2;

export const FIRST_LICENCE_TEXT = `Muster end user licence

1. What you get
Muster sells scans and statistics of kingdoms, alliances and players of Rise of Kingdoms and Call of Dragons. A scan shows what the game showed at the moment it was taken. Muster is not made, endorsed or supported by the makers of these games.

2. Your account
You need an access code to register. Keep your password, your second factor and your API keys to yourself: what is done with them is done by you. One account belongs to one person. You can delete your account at any time under My Account.

3. Prices and balance
Scans are paid from a prepaid balance in US dollars, priced by the number of governors or lords. The smallest top-up is 5 USD. No refunds are given: money on your balance is spent on orders. ${PAY_RULE} What is cancelled before it has results returns its price as well. A balance that is left when you delete your account is lost.

4. What you may do with the data
You may use the data you buy for yourself, your alliance and your kingdom, and share it with them. You may not resell it as it is, nor use it to harass players.

5. What Muster does not do
Muster will never offer automation that affects gameplay. Do not ask for it.

6. No warranty
Most scans finish within ten minutes; some take longer, and a kingdom that is new may need a few hours. Figures may be misread or missing; such rows are marked. Muster is offered as it is, and its liability ends with the price of the order concerned.

7. Your data
Muster keeps what it needs to run your account: your name, e-mail address, orders, payments, sign-ins and the addresses they came from. It is shown and exported to you under My Account, and shared only with the services that carry out payments and mail. The security log is kept for a year.

8. Changes
When this licence changes, you are asked to accept the new version before your next order.
`;
