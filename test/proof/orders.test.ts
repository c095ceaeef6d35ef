import { orderFlows } from '../support/order-flows.ts';

orderFlows({ width: 1440, height: 900 });
