import { DashboardCache as Dashboard } from '../../durable-objects/dashboard-cache.ts';
import { OrderProgress as Progress } from '../../durable-objects/order-progress.ts';
import { UserSockets as Sockets } from '../../durable-objects/user-sockets.ts';
import type { Env } from '../../worker/env.ts';
import service from '../../worker/index.ts';
import boards from '../boards/worker.ts';
import events from '../events/worker.ts';
import orders from '../hand-in/worker.ts';
import { countedTrips, distant, forgetTrips } from './distant.ts';
import { throughCache } from './workers-cache.ts';

/** The service behind a distant network, plus the calls of other benchmarks that fill it, which are not delayed. */

type ObjectClass = new (...args: never[]) => object;

/** Returns the object's class with distant bindings. */
const far = <Class extends ObjectClass>(inside: Class): Class =>
  new Proxy(inside, {
    construct: (target, [state, env], made) => Reflect.construct(target, [state, distant(env as Env)], made) as object,
  });

export const DashboardCache = far(Dashboard);
export const OrderProgress = far(Progress);
export const UserSockets = far(Sockets);

type Call = Parameters<typeof service.fetch>;

export default {
  async fetch(request: Request, env: Env, context: Call[2]): Promise<Response> {
    const { pathname, search } = new URL(request.url);
    const [, area, ...path] = pathname.split('/');
    const passed = new Request(`https://bench.invalid/${path.join('/')}${search}`, request);
    switch (area) {
      case 'trips':
        if (request.method === 'DELETE') forgetTrips();
        return Response.json(countedTrips());
      case 'orders':
        return orders.fetch(passed, env, context);
      case 'events':
        return events.fetch(passed, env, context);
      case 'boards':
        return boards.fetch(passed, env);
      default:
        return throughCache(request, context, () => service.fetch(request as Call[0], distant(env), context));
    }
  },
};
