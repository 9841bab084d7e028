/** What the loss of each zone and region would leave without a place at this moment. */
import type { ShownLoss, ShownPromise } from "../../../src/api/views/shown-promises.ts";
import { hrefOf } from "../app/route.ts";
import { isOfScope } from "../app/tenant-scope.ts";
import { counted } from "../parts/counted.ts";

export interface LossListProps {
  readonly losses: readonly ShownLoss[];
  readonly promises: readonly ShownPromise[];
}

/** Workloads that are named; more are counted. */
const NAMED = 3;

export function LossList({ losses, promises }: LossListProps) {
  if (losses.length === 0) return null;
  return (
    <section aria-labelledby="lost-now">
      <h2 id="lost-now">If it were lost now</h2>
      <p class="quiet">Only free and reserved room counts; nothing is preempted.</p>
      <ul class="losses" aria-label="Losses">
        {losses.map((loss) => (
          <li key={`${loss.by} ${loss.place}`}>
            <Loss loss={loss} promises={promises} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Loss({
  loss,
  promises,
}: {
  readonly loss: ShownLoss;
  readonly promises: readonly ShownPromise[];
}) {
  const { by, place, replicas, placed } = loss;
  const homeless = loss.homeless.filter(({ namespace }) => isOfScope(namespace));
  const names = new Set(homeless.map(({ namespace, name }) => `${namespace}/${name}`));
  const broken = promises.filter(({ workload }) => workload !== undefined && names.has(workload));
  const isFine = placed >= replicas;
  return (
    <>
      <strong>
        {by} {place}
      </strong>
      <span class={isFine ? "tone-good" : "tone-bad"}>
        <span aria-hidden="true">{isFine ? "✓" : "▲"} </span>
        {outcomeText(loss)}
      </span>
      <span class="loss-names">
        {homeless.slice(0, NAMED).map(({ namespace, name, count }) => (
          <a key={`${namespace}/${name}`} href={hrefOf("workloads", [namespace, name])}>
            {namespace}/{name} ×{count}
          </a>
        ))}
        {homeless.length > NAMED && (
          <span class="quiet">and {homeless.length - NAMED} more workloads</span>
        )}
        {broken.length > 0 && (
          <span>
            hits {counted(broken.length, "promise")}: {broken.map(({ name }) => name).join(", ")}
          </span>
        )}
      </span>
    </>
  );
}

function outcomeText({ replicas, placed }: ShownLoss): string {
  if (replicas === 0) return "no replica is there";
  return placed >= replicas
    ? `all ${counted(replicas, "replica")} find a place`
    : `${replicas - placed} of ${counted(replicas, "replica")} find no place`;
}
