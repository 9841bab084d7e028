/**
 * One budget: how much is left of it, for whom, whose it is and why, how long it is in force, and
 * who spends it.
 */
import { Fragment } from "preact";
import { amountsText, forText } from "../../../src/steering/shown-recovery-budget.ts";
import { hrefOf } from "../app/route.ts";
import { KeyValues } from "../parts/key-values.tsx";
import { SegmentBar } from "../parts/segment-bar.tsx";
import type { Tone } from "../parts/stage-tone.ts";
import { StatusWord } from "../parts/status-word.tsx";
import { askExtendBudget, askWithdraw } from "./ask-budget.tsx";
import { amountIn, type RecoveryBudgetObject, RESOURCES } from "./recovery-budget-object.ts";
import { AskButton, SteeredCard } from "./steered-card.tsx";
import { TimeLeft } from "./time-left.tsx";

export interface RecoveryBudgetCardProps {
  readonly budget: RecoveryBudgetObject;
  /** Another page led here because of this one. */
  readonly isSelected: boolean;
}

export function RecoveryBudgetCard({ budget, isSelected }: RecoveryBudgetCardProps) {
  const { metadata, spec, status } = budget;
  const isLive = metadata.deletionTimestamp === undefined;
  return (
    <SteeredCard
      name={metadata.name}
      title={`${amountsText(status.raised ?? status.granted)} in ${spec.region}`}
      head={
        <>
          <StatusWord tone={TONES[status.state] ?? "off"}>{status.state}</StatusWord>
          {isLive && <Actions budget={budget} />}
        </>
      }
      owner={ownerOf(budget)}
      reason={spec.reason}
      isSelected={isSelected}
    >
      {isLive && <TimeLeft since={status.since} until={status.until} />}
      <Spent budget={budget} />
      <KeyValues
        items={[
          ["For", `recoveries of ${forText(spec)}`],
          ["Left", amountsText(status.left)],
          ["Raised", status.raised && `from ${amountsText(status.granted)}, by an override`],
          ["Spent by", <SpentBy key="by" budget={budget} />],
          ...troubles(budget),
        ]}
      />
    </SteeredCard>
  );
}

const TONES: Readonly<Record<string, Tone>> = { "in-force": "good", "used-up": "wait" };

const ownerOf = ({ status: { owner, grantedBy } }: RecoveryBudgetObject): string =>
  grantedBy === undefined ? owner : `policy revision ${grantedBy.policyRevision}`;

/** What the plane says of it that is not fine, in its words. */
const troubles = ({ status }: RecoveryBudgetObject) =>
  (status.conditions ?? [])
    .filter((each) => each.status === "False")
    .map(({ type, message }) => [TROUBLES[type] ?? type, message] as const);

const TROUBLES: Readonly<Record<string, string>> = {
  InForce: "Ended",
  HasLeft: "Used up",
  WithinReserve: "Reserve",
};

/** The bar is of what is scarcest: of that which most is spent. */
function Spent({ budget: { status } }: { readonly budget: RecoveryBudgetObject }) {
  const whole = status.raised ?? status.granted;
  const parts = RESOURCES.map((resource) => ({
    resource,
    spent: amountIn(resource, status.spent),
    all: amountIn(resource, whole),
  })).filter(({ all, spent }) => all > 0 || spent > 0);
  const [scarcest] = parts.toSorted((a, b) => b.spent * a.all - a.spent * b.all);
  if (scarcest === undefined) return null;
  const { resource, spent, all } = scarcest;
  return (
    <div class="time-left">
      <SegmentBar whole={all} segments={[{ label: "spent", amount: spent, tone: "busy" }]} />
      <span>
        {resource.of(status.spent)} of {resource.of(whole)} {resource.name.toLowerCase()} spent
      </span>
    </div>
  );
}

function Actions({ budget }: { readonly budget: RecoveryBudgetObject }) {
  const { name } = budget.metadata;
  return (
    <div class="ways">
      {budget.status.grantedBy === undefined && (
        <AskButton verb="Extend" name={name} ask={() => askExtendBudget(budget)} />
      )}
      <AskButton verb="Withdraw" name={name} ask={() => askWithdraw(budget)} />
    </div>
  );
}

/** More are told by their number. */
const TOLD = 4;

function SpentBy({ budget: { status } }: { readonly budget: RecoveryBudgetObject }) {
  const { replicas, replicaCount } = status;
  if (replicaCount === 0) return <>no replica</>;
  const shown = replicas.slice(0, TOLD);
  return (
    <>
      {shown.map((replica, at) => {
        const [tenant = "", ...name] = replica.split("/");
        return (
          <Fragment key={replica}>
            {at > 0 && ", "}
            <a href={hrefOf("timeline", ["replica", tenant, name.join("/")])}>{replica}</a>
          </Fragment>
        );
      })}
      {replicaCount > shown.length && ` and ${replicaCount - shown.length} more`}
    </>
  );
}
