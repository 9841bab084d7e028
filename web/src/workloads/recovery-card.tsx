/**
 * What a service is promised after a loss, the room that is kept for it, what is under way, and how
 * the last one went.
 */
import { countText } from "../../../src/core/model/text/count-text.ts";
import type { RecoveryCell } from "../../../src/api/views/view-rows.ts";
import { hrefOf } from "../app/route.ts";
import { ageText } from "../parts/age-text.ts";
import { KeyValues } from "../parts/key-values.tsx";
import { RelativeTime } from "../parts/relative-time.tsx";
import { SegmentBar } from "../parts/segment-bar.tsx";
import { StatusWord } from "../parts/status-word.tsx";
import type { WorkloadObject } from "./workload-object.ts";

export interface RecoveryCardProps {
  readonly recovery: RecoveryCell;
  readonly object: WorkloadObject | undefined;
}

export function RecoveryCard({ recovery, object }: RecoveryCardProps) {
  const { withinMs, replicas, reserved, needed, now, last } = recovery;
  const regions = object?.spec.recovery?.in ?? [];
  const where = regions.length === 0 ? "" : `, with headroom in ${regions.join(", ")}`;
  return (
    <section
      class={
        now === null ? "card" : `card ${now.missed === null ? "pending-card" : "trouble-card"}`
      }
      aria-labelledby="recovery"
    >
      <div class="card-head">
        <h2 id="recovery">Recovery</h2>
      </div>
      <p>
        After a loss, {countText(replicas, "replica")} must serve again within {ageText(withinMs)}
        {where}.
      </p>
      {needed > 0 && (
        <SegmentBar
          whole={needed}
          segments={[{ label: "headroom", amount: reserved, tone: "good" }]}
        />
      )}
      <KeyValues
        items={[
          [
            "Headroom",
            <StatusWord key="room" tone={reserved < needed ? "wait" : "good"}>
              {needed === 0
                ? "not needed: enough replicas run there"
                : `for ${reserved} of ${countText(needed, "replica")}`}
            </StatusWord>,
          ],
          ["On", roomsOf(object?.status?.recovery?.rooms ?? [])],
          ["Budget", budgetsOf(object)],
          ["Now", now === null ? "no replica is lost" : <Running key="now" now={now} />],
          ["Last", last === null ? "no replica was lost so far" : <Last key="last" last={last} />],
        ]}
      />
    </section>
  );
}

/** Which budgets its replicas spend, and whether it goes first on one. */
function budgetsOf(object: WorkloadObject | undefined) {
  const { budgets = [], current } = object?.status?.recovery ?? {};
  const turn = TURNS[String(current?.goesFirst)];
  if (budgets.length === 0 && turn === undefined) return undefined;
  return (
    <>
      {budgets.length === 0 && "none in use"}
      {budgets.map((budget, at) => (
        <span key={budget}>
          {at > 0 && ", "}
          <a href={hrefOf("steering", [], { tab: "budgets", budget })}>{budget}</a>
        </span>
      ))}
      {turn !== undefined && `; ${turn}`}
    </>
  );
}

const TURNS: Readonly<Record<string, string>> = {
  true: "with one it goes ahead of the normal queue order",
  false: "its fairness window is over; it queues in the normal order",
};

function roomsOf(nodes: readonly string[]) {
  if (nodes.length === 0) return undefined;
  return [...new Set(nodes)].map((node, at) => (
    <span key={node}>
      {at > 0 && ", "}
      <a href={hrefOf("fleet", [], { node })}>{node}</a>
    </span>
  ));
}

function Running({ now }: { readonly now: NonNullable<RecoveryCell["now"]> }) {
  const { lost, stage, since, deadline, missed } = now;
  return (
    <>
      <StatusWord tone={missed === null ? "wait" : "bad"}>
        {`${lost} lost, waiting for ${stage}`}
      </StatusWord>{" "}
      since <RelativeTime at={since} form="age" />;{" "}
      {missed === null ? "due" : `late, most of it in ${missed}; it was due`}{" "}
      <RelativeTime at={deadline} />
    </>
  );
}

function Last({ last }: { readonly last: NonNullable<RecoveryCell["last"]> }) {
  const { tookMs, lost, ended, missed } = last;
  return (
    <>
      <StatusWord tone={missed === null ? "good" : "bad"}>
        {missed === null ? "kept" : `missed, most of it in ${missed}`}
      </StatusWord>
      {`: ${lost} lost, took ${ageText(tookMs)}, `}
      <RelativeTime at={ended} />
    </>
  );
}
