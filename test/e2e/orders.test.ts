import { PHONE } from '../support/browser.ts';
import { orderFlows } from '../support/order-flows.ts';

orderFlows(PHONE);
