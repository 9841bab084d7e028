/**
 * What an autoscaler saw, the replicas it needs, what it did or why it did not, and whether
 * machines are short.
 */
import { countText } from "../../../src/core/model/text/count-text.ts";
import { Badge } from "../parts/badge.tsx";
import { CopyButton } from "../parts/copy-button.tsx";
import { KeyValues } from "../parts/key-values.tsx";
import { RelativeTime } from "../parts/relative-time.tsx";
import { SegmentBar } from "../parts/segment-bar.tsx";
import { StatusWord } from "../parts/status-word.tsx";
import {
  type AutoscalerObject,
  conditionOf,
  type ShownStep,
  targetText,
} from "./autoscaler-object.ts";

export function ScalingCard({ autoscaler }: { readonly autoscaler: AutoscalerObject }) {
  const { metadata, spec, status } = autoscaler;
  const { name, namespace = "" } = metadata;
  const able = conditionOf(autoscaler, "AbleToScale");
  const isShort = conditionOf(autoscaler, "CapacityShort")?.status === "True";
  const isHeld = able?.status === "False";
  return (
    <section
      class={isShort ? "card trouble-card" : isHeld ? "card pending-card" : "card"}
      aria-labelledby="scaling"
    >
      <div class="card-head">
        <h2 id="scaling">Autoscaler {name}</h2>
        <CopyButton text={`berth describe autoscaler ${name} -n ${namespace}`} label="Command" />
      </div>
      <p>{status.reason}.</p>
      <SegmentBar
        whole={spec.max}
        segments={[{ label: "replicas", amount: status.replicas ?? 0, tone: "busy" }]}
      />
      <KeyValues
        items={[
          ["Observed", <Observed key="observed" autoscaler={autoscaler} />],
          ["Needed", <Needed key="needed" autoscaler={autoscaler} />],
          ["Does", <Does key="does" autoscaler={autoscaler} />],
          [
            "Could scale up",
            able && (
              <StatusWord key="able" tone={isHeld ? "wait" : "good"}>
                {isHeld ? `no, ${able.reason}: ${able.message}` : `yes: ${able.message}`}
              </StatusWord>
            ),
          ],
          ["Machines", <Machines key="machines" autoscaler={autoscaler} />],
          ["Last steps", <Steps key="steps" steps={[status.lastUp, status.lastDown]} />],
        ]}
      />
    </section>
  );
}

function Observed({ autoscaler }: { readonly autoscaler: AutoscalerObject }) {
  const { spec, status } = autoscaler;
  const { observed } = status;
  if (observed === undefined) return <>no samples yet</>;
  const { load, covered, of, at, observation } = observed;
  return (
    <>
      {covered === 0 ? "no load" : `a load of ${load} each, target ${targetText(spec)}`}, sampled
      from {covered} of {countText(of, "serving replica")}, <RelativeTime at={at} />{" "}
      <span class="quiet">(observation {observation})</span>
    </>
  );
}

function Needed({ autoscaler }: { readonly autoscaler: AutoscalerObject }) {
  const { min, max } = autoscaler.spec;
  const { needed } = autoscaler.status;
  const what = needed === undefined ? "unknown" : `${countText(needed, "replica")} for this load`;
  return (
    <>
      {what}; bounds {min} to {max}
    </>
  );
}

function Does({ autoscaler }: { readonly autoscaler: AutoscalerObject }) {
  const { replicas, desired } = autoscaler.status;
  const active = conditionOf(autoscaler, "ScalingActive");
  if (replicas === undefined || desired === undefined) {
    return <StatusWord tone="off">{`inactive, ${active?.reason ?? ""}`}</StatusWord>;
  }
  const isMoving = replicas !== desired;
  return (
    <>
      <StatusWord tone={isMoving ? "busy" : "good"}>
        {isMoving ? `scaling from ${replicas} to ${desired}` : `stays at ${replicas}`}
      </StatusWord>{" "}
      {active !== undefined && <Badge>{active.reason}</Badge>}
    </>
  );
}

function Machines({ autoscaler }: { readonly autoscaler: AutoscalerObject }) {
  const short = conditionOf(autoscaler, "CapacityShort");
  if (short === undefined) return null;
  return short.status === "True" ? (
    <StatusWord tone="bad">{`CapacityShort: ${short.message} More nodes would help.`}</StatusWord>
  ) : (
    <StatusWord tone="good">{`not short: ${short.message}`}</StatusWord>
  );
}

function Steps({ steps }: { readonly steps: readonly (ShownStep | undefined)[] }) {
  const taken = steps.filter((step) => step !== undefined);
  if (taken.length === 0) return <>none so far</>;
  return (
    <>
      {taken.map(({ at, from, to }, index) => (
        <span key={at}>
          {index > 0 && ", "}
          {from} to {to} <RelativeTime at={at} />
        </span>
      ))}
    </>
  );
}
