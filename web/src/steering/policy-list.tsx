/**
 * Which policy revision is in force where, how the pointers came there, and what the revisions say.
 */
import { useMemo } from "preact/hooks";
import { policyOf } from "../../../src/steering/shown-policy.ts";
import type { ObjectWatch } from "../live/object-watch.ts";
import { useObjects } from "../live/use-live.ts";
import { CommandLine } from "../parts/command-line.tsx";
import { EmptyState } from "../parts/empty-state.tsx";
import { LiveGate } from "../parts/live-gate.tsx";
import { PolicyCard } from "./policy-card.tsx";
import { RevisionDiff } from "./revision-diff.tsx";
import { RevisionList } from "./revision-list.tsx";
import {
  newestFirst,
  POLICIES,
  type PolicyObject,
  type RevisionObject,
  REVISIONS,
} from "./revision-object.ts";

export function PolicyList() {
  const policies = useObjects<PolicyObject>({ path: POLICIES });
  const revisions = useObjects<RevisionObject>({ path: REVISIONS });
  return (
    <LiveGate stream={policies} what="the policies">
      {() => (
        <LiveGate stream={revisions} what="the policy revisions">
          {() => <Shown policies={policies} revisions={revisions} />}
        </LiveGate>
      )}
    </LiveGate>
  );
}

interface ShownProps {
  readonly policies: ObjectWatch<PolicyObject>;
  readonly revisions: ObjectWatch<RevisionObject>;
}

function Shown({ policies, revisions }: ShownProps) {
  const [version, made] = [policies.rows.version.value, revisions.rows.version.value];
  const pointers = useMemo(
    () =>
      [...policies.rows.peek()].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, each]) => each),
    [policies, version],
  );
  const all = useMemo(() => newestFirst(revisions.rows.peek().values()), [revisions, made]);
  if (pointers.length + all.length === 0) return <NoPolicy />;
  const seen = pointers.map(policyOf);
  return (
    <div class="policies">
      {pointers.length === 0 && <NoPointer />}
      {pointers.map((policy) => (
        <PolicyCard key={policy.metadata.name} policy={policy} revisions={all} />
      ))}
      {all.length > 0 && <RevisionList revisions={all} policies={seen} />}
      {all.length > 1 && <RevisionDiff revisions={all} />}
    </div>
  );
}

function NoPolicy() {
  return (
    <EmptyState title="There are no policies: the built-in rules apply everywhere.">
      <p>
        A PolicyRevision sets how nodes are scored, how replicas spread, which classes may not
        preempt each other, and when a silent node is suspect. It is immutable. A Policy activates
        one, optionally in one region first, and can be rolled back. Put both into files and apply
        them:
      </p>
      <CommandLine text="berth apply -f default-1.yaml -f default.yaml" />
    </EmptyState>
  );
}

const NoPointer = () => (
  <EmptyState title="No policy has an active revision yet.">
    The built-in rules apply everywhere until then: apply a Policy named default with{" "}
    <code>spec: {"{ active: REVISION }"}</code>.
  </EmptyState>
);
