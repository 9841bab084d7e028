/** What holds a node, as it is now: each replica with its stage and the way to its timeline. */
import { useMemo } from "preact/hooks";
import { hrefOf } from "../app/route.ts";
import { BERTH } from "../live/api.ts";
import type { LiveObject } from "../live/object-message.ts";
import { useObjects } from "../live/use-live.ts";
import { LiveGate } from "../parts/live-gate.tsx";
import { RelativeTime } from "../parts/relative-time.tsx";
import { Skeleton } from "../parts/skeleton.tsx";
import { StatusWord } from "../parts/status-word.tsx";

interface ReplicaObject extends LiveObject {
  readonly spec: { readonly workload: string };
  readonly status: {
    readonly stage: string;
    readonly stageSince: string;
    readonly message: string;
    readonly stopping?: { readonly reason: string; readonly since: string };
  };
}

/** A node seldom has more, and its panel is no table of thousands. */
const SHOWN = 200;

export function NodeReplicas({ node }: { readonly node: string }) {
  const replicas = useObjects<ReplicaObject>({
    path: `${BERTH}/replicas`,
    fieldSelector: `status.node=${node}`,
  });
  const version = replicas.rows.version.value;
  const sorted = useMemo(
    () => [...replicas.rows.peek()].toSorted(([a], [b]) => (a < b ? -1 : 1)),
    [replicas, version],
  );
  return (
    <section>
      <h3>
        Replicas on this node
        {replicas.isThere && <span class="quiet"> {sorted.length}</span>}
      </h3>
      <LiveGate
        stream={replicas}
        what={`the replicas on ${node}`}
        skeleton={<Skeleton rows={3} label="Loading its replicas" />}
      >
        {() =>
          sorted.length === 0 ? (
            <p class="quiet">No replica is bound to it.</p>
          ) : (
            <ReplicaTable replicas={sorted.slice(0, SHOWN).map(([, replica]) => replica)} />
          )
        }
      </LiveGate>
      {sorted.length > SHOWN && <p class="quiet">And {sorted.length - SHOWN} more.</p>}
    </section>
  );
}

function ReplicaTable({ replicas }: { readonly replicas: readonly ReplicaObject[] }) {
  return (
    <table class="rules" aria-label="Replicas on the node">
      <thead>
        <tr>
          <th scope="col">Replica</th>
          <th scope="col">Stage</th>
          <th scope="col">For</th>
        </tr>
      </thead>
      <tbody>
        {replicas.map(({ metadata: { namespace = "", name }, status }) => (
          <tr key={`${namespace}/${name}`}>
            <td>
              <a href={hrefOf("timeline", ["replica", namespace, name])}>
                {namespace}/{name}
              </a>
            </td>
            <td>
              <StatusWord title={status.message}>{status.stage}</StatusWord>
              {status.stopping !== undefined && (
                <span class="quiet"> stopping: {status.stopping.reason}</span>
              )}
            </td>
            <td>
              <RelativeTime at={status.stageSince} form="age" />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
