/** Keeps a table up to date from what the plane shows, for as long as `berth up` runs. */
import type { ApiClient } from "../client/api-client.ts";
import type { ShownObject } from "../../steering/api-object.ts";
import { mirror } from "../client/mirror.ts";
import { type ProgressTable, progressTableOf, type Seen } from "./progress-table.ts";

const BASE = "/apis/berth.dev/v1";
/** Changes that come together are shown together: a bind touches three kinds at once. */
const TOGETHER_MS = 100;

export async function followProgress(
  client: ApiClient,
  signal: AbortSignal,
  show: (table: ProgressTable) => void,
): Promise<void> {
  let seen: Partial<Seen> = {};
  let soon: NodeJS.Timeout | undefined;
  const follow = (kind: keyof Seen): Promise<void> =>
    mirror(client, {
      path: `${BASE}/${kind}`,
      signal,
      onChange: (objects: ReadonlyMap<string, ShownObject>) => {
        seen = { ...seen, [kind]: [...objects.values()] };
        soon ??= setTimeout(() => {
          soon = undefined;
          const { workloads, replicas, nodes } = seen;
          // Until all have been listed once, a missing object would be shown as deleted.
          if (signal.aborted || !workloads || !replicas || !nodes) return;
          show(progressTableOf({ workloads, replicas, nodes }));
        }, TOGETHER_MS);
      },
    });
  await Promise.all([follow("workloads"), follow("replicas"), follow("nodes")]);
  clearTimeout(soon);
}
