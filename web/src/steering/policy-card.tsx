/**
 * One policy: what is in force where, since when and by whom, what rollbacks still take back, and
 * every move of its pointer.
 */
import { listOf, recordOf, textOf } from "../../../src/steering/api-object.ts";
import { revisionBefore } from "../../../src/steering/rollback-plan.ts";
import { inForce, policyOf, type ShownPolicy } from "../../../src/steering/shown-policy.ts";
import { Badge } from "../parts/badge.tsx";
import { RelativeTime } from "../parts/relative-time.tsx";
import { StatusWord } from "../parts/status-word.tsx";
import { askActivate, askRollBack } from "./ask-move.tsx";
import { PolicyHistory } from "./policy-history.tsx";
import { isEarlier, type PolicyObject, type RevisionObject, whereText } from "./revision-object.ts";

export interface PolicyCardProps {
  readonly policy: PolicyObject;
  readonly revisions: readonly RevisionObject[];
}

export function PolicyCard({ policy, revisions }: PolicyCardProps) {
  const seen = policyOf(policy);
  const { name } = seen;
  return (
    <section class="card" aria-label={`Policy ${name}`}>
      <div class="override-head">
        <h2>Policy {name}</h2>
        {name === "default" && <Badge>for workloads without a policy</Badge>}
        <div class="ways">
          {revisions.length > 0 && (
            <button
              type="button"
              class="button"
              aria-label={`Activate a revision of ${name}`}
              onClick={() => void askActivate(seen, revisions)}
            >
              Activate…
            </button>
          )}
        </div>
      </div>
      <ul class="places">
        {[undefined, ...seen.stages.keys()].map((region) => (
          <Place key={region ?? ""} policy={policy} region={region} revisions={revisions} />
        ))}
      </ul>
      <Left policy={policy} />
      <PolicyHistory history={seen.history} />
    </section>
  );
}

interface PlaceProps extends PolicyCardProps {
  readonly region: string | undefined;
}

function Place({ policy, region, revisions }: PlaceProps) {
  const seen = policyOf(policy);
  const revision = inForce(seen, region);
  const back = revisionBefore(seen, region);
  return (
    <li>
      <span class="place-where">{region === undefined ? whereElse(seen) : `in ${region}`}</span>
      <span>
        <StatusWord tone={region === undefined ? "good" : "busy"}>
          {revision || `no revision, scoring ${textOf(policy.spec?.["scoring"])}`}
        </StatusWord>{" "}
        <Since seen={seen} region={region} revision={revision} />
      </span>
      {back !== "" && isEarlier(revisions, back, revision) && (
        <button
          type="button"
          class="button"
          aria-label={`Roll back to ${back}… ${whereText(region)}`}
          onClick={() => void askRollBack({ seen, region, to: back }, revisions)}
        >
          Roll back to {back}…
        </button>
      )}
    </li>
  );
}

const whereElse = ({ stages }: ShownPolicy): string =>
  stages.size === 0 ? "everywhere" : "everywhere else";

function Since(of: {
  readonly seen: ShownPolicy;
  readonly region: string | undefined;
  readonly revision: string;
}) {
  const { seen, region = "", revision } = of;
  const move = seen.history.findLast((each) => each.to === revision && each.region === region);
  if (move === undefined) return null;
  return (
    <span class="quiet">
      since <RelativeTime at={move.time} form="age" /> by {move.by}
    </span>
  );
}

/** Revisions that were left for earlier ones, of which something may still have to go. */
function Left({ policy }: { readonly policy: PolicyObject }) {
  const left = listOf(policy.status?.["left"]).map(recordOf);
  if (left.length === 0) return null;
  return (
    <ul class="policy-left">
      {left.map(({ revision, region, bindings, reservations }) => (
        <li key={`${textOf(revision)} ${textOf(region)}`}>
          <StatusWord tone="busy">Being undone</StatusWord>: decisions of {textOf(revision)}{" "}
          {whereText(textOf(region))} (bindings: {textOf(bindings)}, reservations:{" "}
          {textOf(reservations)}).
        </li>
      ))}
    </ul>
  );
}
