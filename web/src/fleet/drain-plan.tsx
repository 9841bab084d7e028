/** What a drain would do, said before it is done: who leaves when, and where each would go. */
import { useFetched } from "../live/use-fetched.ts";
import { ErrorState } from "../parts/error-state.tsx";
import { Skeleton } from "../parts/skeleton.tsx";

interface PlannedMove {
  readonly replica: string;
  readonly workload: string;
  readonly when: "stopping" | "now" | "waits";
  readonly to?: string;
  readonly rejected?: Readonly<
    Record<string, { readonly count: number; readonly example: string }>
  >;
}

export function DrainPlan({ node }: { readonly node: string }) {
  const query = new URLSearchParams({ node });
  const plan = useFetched<{ readonly moves: readonly PlannedMove[] }>(
    `/drain-plan?${query.toString()}`,
  );
  if (plan.failure !== undefined) {
    return (
      <ErrorState
        title="Cannot compute the drain plan."
        failure={plan.failure}
        retry={() => plan.reload()}
      />
    );
  }
  if (plan.value === undefined) return <Skeleton rows={3} label="Computing the drain plan" />;
  const { moves } = plan.value;
  if (moves.length === 0) return <p>The node is empty: a drain would only block new work.</p>;
  return (
    <div class="drain-plan" tabIndex={0} role="region" aria-label="Drain plan">
      <table class="rules">
        <thead>
          <tr>
            <th scope="col">Replica</th>
            <th scope="col">Leaves</th>
            <th scope="col">Fits on</th>
          </tr>
        </thead>
        <tbody>
          {moves.map((move) => (
            <tr key={move.replica}>
              <td>{move.replica}</td>
              <td>{whenText(move)}</td>
              <td>{placeText(move)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function whenText({ when, workload }: PlannedMove): string {
  switch (when) {
    case "stopping":
      return "being stopped";
    case "now":
      return "now";
    case "waits":
      return `when the disruption budget of ${workload} allows it`;
  }
}

function placeText({ to, rejected }: PlannedMove): string {
  if (to !== undefined) return to;
  if (rejected === undefined) return "not computed: the plane is too large";
  const rules = Object.entries(rejected).map(([rule, { count }]) => `${rule} rejected ${count}`);
  return `no node fits now: ${rules.join(", ") || "there is no other node"}`;
}
