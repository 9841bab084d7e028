/**
 * The commits and the decisions about one thing, in order. An object is touched by others, too: a
 * replica by what becomes of its node and of its workload, a workload and a node by what
 * becomes of their replicas.
 */
import {
  nodeKey,
  type ObjectKey,
  parseKey,
  type Revision,
  workloadKey,
} from "../../core/model/ids.ts";
import type { Replica } from "../../core/model/objects.ts";
import type { Stage } from "../../core/model/stage.ts";
import type { PlanePort } from "../../host/plane-port.ts";
import type { Touch } from "../../host/past-log.ts";
import { eventsOf } from "../events/events-of.ts";
import { rfc3339Millis } from "../rfc3339.ts";
import { commitStep, saidBy, shownKey, type StepSources } from "./commit-step.ts";
import type { KeptDecision } from "./decision-history.ts";
import type { Explanation, Step, WaitStep } from "./explanation.ts";
import { autoscalerOf } from "./scaling-of.ts";

export interface TimelineOf {
  readonly plane: PlanePort;
  readonly sources: StepSources;
  readonly key: ObjectKey;
  readonly upTo: Revision;
  /** Of the newest commit that counts. */
  readonly upToMs: number;
  /** How many commits of the store are looked at for what is older than memory. */
  readonly fromStore: number;
}

type Timeline = Pick<Explanation, "timeline" | "leftOff" | "record">;

/** More than anybody reads; the newest are shown. */
const STEPS_SHOWN = 200;
/** Of a workload or a node with very many replicas, those that changed last. */
const REPLICAS_FOLLOWED = 100;
/** The least of each of them; a few replicas share all the steps that are shown. */
const TOUCHES_OF_OTHERS = 16;

export async function timelineOf(of: TimelineOf): Promise<Timeline> {
  const { key, upTo, sources } = of;
  const { past } = sources;
  const own = past.touches(key, { upTo, most: STEPS_SHOWN });
  const isCut = own.olderAt !== undefined && own.olderAt > past.start;
  // The value itself says which commit wrote it, so that the search begins there.
  const older =
    own.olderAt === undefined || isCut
      ? undefined
      : await past.older(key, Math.min(upTo, own.olderAt), of.fromStore);
  const touches = [...own.touches, ...(older?.touches ?? [])];
  const byRevision = new Map<Revision, Touch[]>();
  const others = touchesOfOthers(of, touches);
  for (const touch of [...touches, ...others.touches]) {
    const known = byRevision.get(touch.commit.revision);
    if (known === undefined) byRevision.set(touch.commit.revision, [touch]);
    else if (!known.some(({ change }) => change.key === touch.change.key)) known.push(touch);
  }
  const commits = [...byRevision.entries()]
    .toSorted(([a], [b]) => a - b)
    .map(([, each]) => commitStep(each, sources));
  const waits = waitsAbout(of, touches, new Set(commits.map(({ operation }) => operation)));
  const all = inOrder([...commits, ...waits]);
  return {
    timeline: all.slice(-STEPS_SHOWN),
    leftOff: all.length > STEPS_SHOWN,
    record: withOthers(recordOf({ older, isCut, start: past.start }), others, past.start),
  };
}

const inOrder = (steps: readonly Step[]): readonly Step[] =>
  steps.toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));

function recordOf(of: {
  readonly older: Awaited<ReturnType<StepSources["past"]["older"]>> | undefined;
  readonly isCut: boolean;
  readonly start: Revision;
}): Explanation["record"] {
  const { older, isCut, start } = of;
  if (isCut) {
    return {
      from: start,
      isWhole: false,
      says: "There are older entries: only the newest are shown.",
    };
  }
  if (older === undefined) return { from: start, isWhole: true, says: "This is the full history." };
  const { from, end } = older;
  switch (end) {
    case "made":
      return { from, isWhole: true, says: "This is the full history." };
    case "compacted":
      return { from, isWhole: false, says: `Revisions before ${from} were compacted.` };
    case "bound":
      return {
        from,
        isWhole: false,
        says: `Revisions before ${from} were not searched; --deep searches all of them.`,
      };
  }
}

interface Others {
  readonly touches: readonly Touch[];
  /** Some of what happened to its replicas is not in memory, and was not looked for. */
  readonly isOutOfMemory: boolean;
  /** So many of the newest steps of each replica were looked at, and one has more of them. */
  readonly newest?: number;
}

function withOthers(
  record: Explanation["record"],
  { isOutOfMemory, newest }: Others,
  start: Revision,
): Explanation["record"] {
  const said = [
    ...(record.isWhole ? [] : [record.says]),
    ...(newest === undefined ? [] : [`Of each replica only the newest ${newest} steps are here.`]),
    ...(isOutOfMemory ? [`For its replicas it starts at revision ${start}.`] : []),
  ];
  if (newest === undefined && !isOutOfMemory) return record;
  return { ...record, isWhole: false, says: said.join(" ") };
}

/** What happened around it while it was there. */
function touchesOfOthers(of: TimelineOf, own: readonly Touch[]): Others {
  const { kind, name } = parseKey(of.key);
  if (kind === "Replica") return { touches: aroundReplica(of, own), isOutOfMemory: false };
  if (kind !== "Workload" && kind !== "Node") return { touches: [], isOutOfMemory: false };
  const { sources, upTo } = of;
  const replicas = newestReplicas(of);
  const most = Math.max(TOUCHES_OF_OTHERS, Math.floor(STEPS_SHOWN / replicas.length));
  const found = replicas.map((key) => sources.past.touches(key, { upTo, most }));
  const touches = found.flatMap((each) => each.touches);
  const { start } = sources.past;
  const older = found.flatMap(({ olderAt }) => olderAt ?? []);
  const cut = {
    isOutOfMemory: older.some((at) => at <= start),
    ...(older.some((at) => at > start) ? { newest: most } : {}),
  };
  if (kind === "Workload") return { touches, ...cut };
  const ofNode = touches.filter(({ change: { before, after } }) =>
    [before, after].some((each) => each?.kind === "Replica" && each.status.node === name),
  );
  return { touches: ofNode, ...cut };
}

function inMemory({ sources: { past }, upTo }: TimelineOf, key: ObjectKey): readonly Touch[] {
  return past.touches(key, { upTo, most: TOUCHES_OF_OTHERS }).touches;
}

/** The changes of its workload, and what became of the nodes it held while it held them. */
function aroundReplica(of: TimelineOf, own: readonly Touch[]): readonly Touch[] {
  const replicas = own.flatMap(({ change: { before, after } }) =>
    [before, after].filter((each): each is Replica => each?.kind === "Replica"),
  );
  const [some] = replicas;
  if (some === undefined) return [];
  const changes = inMemory(of, workloadKey(some.meta.namespace, some.spec.workload)).filter(
    ({ change: { before, after } }) =>
      after?.meta.generation !== before?.meta.generation ||
      after?.meta.deletingMs !== before?.meta.deletingMs,
  );
  const nodes = new Set(replicas.flatMap(({ status }) => status.node ?? []));
  const fates = [...nodes].toSorted().flatMap((node) =>
    inMemory(of, nodeKey(node)).filter(({ commit, change }) => {
      const isTold = eventsOf({ ...commit, changes: [change] }).length > 0;
      return isTold && holderAt(own, commit.revision) === node;
    }),
  );
  return [...changes, ...fates];
}

/** The node that the replica held just before a revision. */
function holderAt(own: readonly Touch[], revision: Revision): string | undefined {
  const last = own.find(({ commit }) => commit.revision < revision)?.change.after;
  return last?.kind === "Replica" ? last.status.node : undefined;
}

function newestReplicas({ plane, key }: TimelineOf): readonly ObjectKey[] {
  const { kind, name } = parseKey(key);
  const { objects } = plane;
  const replicas = kind === "Node" ? objects.replicasOn(name) : objects.replicasOf(key);
  return [...replicas.values()]
    .toSorted((a, b) => b.meta.revision - a.meta.revision || (a.key < b.key ? -1 : 1))
    .slice(0, REPLICAS_FOLLOWED)
    .map((replica) => replica.key);
}

/** Waits, and proposals that never became a commit. */
function waitsAbout(
  of: TimelineOf,
  own: readonly Touch[],
  committed: ReadonlySet<string>,
): readonly WaitStep[] {
  const { history } = of.sources;
  const { kind, namespace } = parseKey(of.key);
  const waits = history.about(of.key).map((kept) => ({ key: of.key, kept }));
  if (kind === "Replica") {
    const some = own[0]?.change.after ?? own[0]?.change.before;
    const workload = some?.kind === "Replica" ? workloadKey(namespace, some.spec.workload) : of.key;
    for (const kept of workload === of.key ? [] : history.about(workload)) {
      if (isAboutStage(kept, own)) waits.push({ key: workload, kept });
    }
  }
  // How many replicas a workload has is decided about its autoscaler.
  const scaler = kind === "Workload" ? autoscalerOf(of.plane.objects, of.key)?.key : undefined;
  if (scaler !== undefined) {
    waits.push(...history.about(scaler).map((kept) => ({ key: scaler, kept })));
  }
  return waits.flatMap(({ key, kept }) => {
    const { decision, atMs } = kept.record;
    if (kept.sinceMs > of.upToMs) return [];
    const operations = decision.kind === "propose" ? decision.intents : [];
    if (operations.some(({ operation }) => committed.has(operation))) return [];
    // Of a whole workload: what it proposed for others is theirs.
    if (decision.kind === "propose" && key !== of.key) return [];
    const [first] = operations;
    const asked = first === undefined ? {} : { operation: first.operation };
    return [
      {
        kind: decision.kind === "wait" ? "wait" : "proposal",
        at: rfc3339Millis(Math.min(atMs, of.upToMs)),
        since: rfc3339Millis(kept.sinceMs),
        times: kept.times,
        of: shownKey(key),
        reason: decision.kind === "wait" ? decision.reason : (first?.kind ?? ""),
        decided: saidBy(kept.record, asked, of.sources),
      } as const,
    ];
  });
}

/**
 * Whether a wait of the workload was about this replica: it then was in the stage that the
 * controller moves on.
 */
function isAboutStage({ record, sinceMs }: KeptDecision, own: readonly Touch[]): boolean {
  const { controller, atMs } = record;
  const wanted: Stage | undefined = controller.startsWith("place")
    ? "queued"
    : controller === "admit"
      ? "admitted"
      : undefined;
  if (wanted === undefined) return false;
  return own.some(({ commit, change: { after } }, index) => {
    if (after?.kind !== "Replica" || after.status.stage !== wanted) return false;
    const untilMs = own[index - 1]?.commit.atMs ?? Number.POSITIVE_INFINITY;
    return commit.atMs <= atMs && sinceMs <= untilMs;
  });
}
