/**
 * One workload: where it stands, what it waits for, what is under way with it, and each of its
 * replicas.
 */
import { useComputed } from "@preact/signals";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { queryState } from "../app/query-state.ts";
import { hrefOf } from "../app/route.ts";
import type { ObjectWatch } from "../live/object-watch.ts";
import type { RowStore } from "../live/row-store.ts";
import { type Fetched, useFetched } from "../live/use-fetched.ts";
import { useObjects, useView } from "../live/use-live.ts";
import { usePaced } from "../live/use-paced.ts";
import type { ViewRow } from "../live/view-message.ts";
import { CopyButton } from "../parts/copy-button.tsx";
import { EmptyState } from "../parts/empty-state.tsx";
import { LiveGate } from "../parts/live-gate.tsx";
import { PageHeader } from "../parts/page-header.tsx";
import { StageBar } from "../parts/stage-bar.tsx";
import { Tabs } from "../parts/tabs.tsx";
import { useOverrides } from "../steering/use-overrides.ts";
import { askToDelete, askToRestart } from "./ask-about-workload.tsx";
import { askToScale } from "./ask-to-scale.tsx";
import { type AutoscalerObject, autoscalerPath } from "./autoscaler-object.ts";
import { BatchCard } from "./batch-card.tsx";
import { ConditionList } from "./condition-list.tsx";
import { EventList } from "./event-list.tsx";
import { HistoryList } from "./history-list.tsx";
import { LogPanel } from "./log-panel.tsx";
import { PendingCard } from "./pending-card.tsx";
import { ProblemCard } from "./problem-card.tsx";
import { RecoveryCard } from "./recovery-card.tsx";
import { KEPT_OF_REPLICA, type ReplicaRow, tallyGenerations } from "./replica-row.ts";
import { ReplicaTable } from "./replica-table.tsx";
import { RolloutCard } from "./rollout-card.tsx";
import { ScalingCard } from "./scaling-card.tsx";
import { SpecView } from "./spec-view.tsx";
import type { WorkloadObject } from "./workload-object.ts";
import { commandFor, eventsPath, replicasPath, workloadPath } from "./workload-path.ts";
import { readWorkload, type Workload } from "./workload-row.ts";
import { workloadSentence } from "./workload-sentence.ts";
import { WorkloadSteered } from "./workload-steered.tsx";

const tab = queryState("tab", { fallback: "replicas" });
const logs = queryState("logs");

export interface WorkloadDetailProps {
  readonly tenant: string;
  readonly name: string;
}

export function WorkloadDetail({ tenant, name }: WorkloadDetailProps) {
  const stream = useView("workloads", { key: `${tenant}/${name}` });
  const replicas = useObjects<ReplicaRow>({
    path: replicasPath(tenant),
    fieldSelector: `spec.workload=${name}`,
    keep: KEPT_OF_REPLICA,
  });
  const row = useComputed(() => stream.rows.get(`${tenant}/${name}`)).value;
  const workload = row === undefined ? undefined : readWorkload(row);
  return (
    <>
      <PageHeader
        title={`${tenant}/${name}`}
        about={workload === undefined ? undefined : <About workload={workload} />}
      >
        {workload !== undefined && <Actions workload={workload} />}
      </PageHeader>
      <LiveGate stream={stream} what="the workload">
        {() =>
          row === undefined || workload === undefined ? (
            <NotThere tenant={tenant} name={name} />
          ) : (
            <Shown row={row} workload={workload} replicas={replicas} />
          )
        }
      </LiveGate>
    </>
  );
}

const About = ({ workload }: { readonly workload: Workload }) => (
  <>
    <a href={hrefOf("workloads")}>All workloads</a> · {workload.type}
    {workload.priority === "" ? ", no priority class" : `, priority ${workload.priority}`},
    generation {workload.generation}
  </>
);

function Actions({ workload }: { readonly workload: Workload }) {
  const { tenant, name } = workload;
  return (
    <>
      <button type="button" class="button" onClick={() => void askToScale(workload)}>
        Scale…
      </button>
      {workload.type === "service" && (
        <button type="button" class="button" onClick={() => void askToRestart(workload)}>
          Restart…
        </button>
      )}
      <a class="button" href={hrefOf("timeline", ["workload", tenant, name])}>
        Timeline
      </a>
      {workload.deleting === null && (
        <button
          type="button"
          class="button button-danger"
          onClick={() => void askToDelete(workload)}
        >
          Delete…
        </button>
      )}
      <CopyButton text={commandFor(workload, "describe")} label="Copy the command" />
    </>
  );
}

interface ShownProps {
  readonly row: ViewRow;
  readonly workload: Workload;
  readonly replicas: ObjectWatch<ReplicaRow>;
}

function Shown({ row, workload, replicas }: ShownProps) {
  const object = useFetched<WorkloadObject>(workloadPath(workload));
  const events = useFetched<EventsText>(eventsPath(workload));
  const overrides = useOverrides();
  const { scaling } = workload;
  const scaler = useFetched<AutoscalerObject>(
    scaling === null ? undefined : autoscalerPath(workload.tenant, scaling.autoscaler),
  );
  useReloads(row, [object, events, overrides, scaler]);
  const version = usePaced(replicas.rows);
  const generations = useMemo(() => tallyOf(replicas.rows), [replicas, version]);
  const { rollout, recovery, batch } = workload;
  const { status } = object.value ?? {};
  return (
    <>
      <div class="workload-stand">
        <p>{workloadSentence(workload)}</p>
        <StageBar counts={workload.stages} />
      </div>
      <ProblemCard workload={workload} />
      <WorkloadSteered workload={workload} overrides={overrides.value?.items ?? []} />
      <PendingCard workload={workload} replicas={replicas} version={version} />
      <div class="workload-cards">
        {(rollout !== null || (status?.generations?.length ?? 0) > 1) && (
          <RolloutCard workload={workload} object={object.value} generations={generations} />
        )}
        {recovery !== null && <RecoveryCard recovery={recovery} object={object.value} />}
        {batch !== null && <BatchCard batch={batch} />}
        {scaler.value !== undefined && <ScalingCard autoscaler={scaler.value} />}
      </div>
      <Sides workload={workload} replicas={replicas} object={object} events={events} />
      {logs.value !== "" && <LogPanel tenant={workload.tenant} replica={logs.value} />}
    </>
  );
}

const tallyOf = (rows: RowStore<ReplicaRow>) =>
  rows.version.peek() === 0 ? undefined : tallyGenerations(rows.peek().values());

type EventsText = Parameters<typeof EventList>[0]["events"];

interface SidesProps extends Pick<ShownProps, "workload" | "replicas"> {
  readonly object: Fetched<WorkloadObject>;
  readonly events: Fetched<EventsText>;
}

function Sides({ workload, replicas, object, events }: SidesProps) {
  const { status } = object.value ?? {};
  const history = status?.history ?? [];
  const count = Object.values(workload.stages).reduce((sum, each) => sum + each, 0);
  const side = tab.value;
  return (
    <>
      <Tabs
        label="Views of the workload"
        parameter="tab"
        current={side}
        tabs={[
          { id: "replicas", label: `Replicas (${count})` },
          { id: "spec", label: "Spec" },
          { id: "events", label: `Events (${events.value?.items.length ?? "…"})` },
          { id: "conditions", label: "Conditions" },
          ...(history.length === 0 && side !== "history"
            ? []
            : [{ id: "history", label: `Earlier templates (${history.length})` }]),
        ]}
      />
      {side === "spec" && object.value !== undefined && <SpecView object={object.value} />}
      {side === "events" && events.value !== undefined && <EventList events={events.value} />}
      {side === "conditions" && (
        <ConditionList conditions={status?.conditions ?? []} notFine={workload.conditions} />
      )}
      {side === "history" && <HistoryList workload={workload} history={history} />}
      {side === "replicas" && <ReplicaTable replicas={replicas} expected={count} />}
    </>
  );
}

/**
 * Long enough that a rollout, which changes its workload many times a second, is not asked for as
 * often.
 */
const PAUSE_MS = 500;

/** Data without a stream is read again when the row of the stream has changed. */
function useReloads(row: ViewRow, fetched: readonly { reload(): void }[]): void {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const first = useRef(row);
  useEffect(() => {
    if (row === first.current) return;
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      for (const each of fetched) each.reload();
    }, PAUSE_MS);
  }, [row]);
  useEffect(() => () => clearTimeout(timer.current), []);
}

const NotThere = ({ tenant, name }: WorkloadDetailProps) => (
  <EmptyState title={`Workload ${tenant}/${name} not found.`}>
    It may have been deleted:{" "}
    <a href={hrefOf("timeline", ["workload", tenant, name])}>its timeline</a> has its history, as
    long as the log keeps it. <a href={hrefOf("workloads")}>All workloads</a>
  </EmptyState>
);
