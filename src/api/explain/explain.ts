/** One thing explained: its timeline out of the log and the decisions, and where it stands. */
import { keyOf, type ObjectKey, type Revision } from "../../core/model/ids.ts";
import type { PlanePort } from "../../host/plane-port.ts";
import { rfc3339Millis } from "../rfc3339.ts";
import { commitStep } from "./commit-step.ts";
import type { DecisionHistory } from "./decision-history.ts";
import type { Explained, Explanation } from "./explanation.ts";
import { standNow, standThen } from "./stand.ts";
import { timelineOf } from "./timeline.ts";

export interface Subject {
  readonly kind: Explained;
  readonly namespace: string;
  readonly name: string;
}

export interface ExplainAt {
  readonly nowMs: number;
  /** Left out: now. */
  readonly revision?: Revision;
  /** Look at all that the store keeps. */
  readonly isDeep?: boolean;
}

/** Some twenty milliseconds of a store on disk. */
const STORE_COMMITS = 2_000;

const KINDS = { replica: "Replica", workload: "Workload", node: "Node" } as const;

/** Undefined when there is no such thing, and never was as far as is known. */
export async function explain(
  plane: PlanePort,
  history: DecisionHistory,
  { kind, namespace, name }: Subject & { readonly kind: Exclude<Explained, "decision"> },
  at: ExplainAt,
): Promise<Explanation | undefined> {
  const key = keyOf({ kind: KINDS[kind], namespace: kind === "node" ? "" : namespace, name });
  const { past } = plane;
  const isPast = at.revision !== undefined && at.revision < plane.revision;
  const upTo = isPast ? (at.revision ?? 0) : plane.revision;
  const upToMs = isPast ? (past.commit(upTo)?.atMs ?? at.nowMs) : at.nowMs;
  const sources = { past, history };
  const fromStore = at.isDeep === true ? Number.POSITIVE_INFINITY : STORE_COMMITS;
  const timeline = await timelineOf({ plane, sources, key, upTo, upToMs, fromStore });
  const object = isPast ? objectThen(plane, key, upTo) : plane.objects.get(key);
  if (object === undefined && timeline.timeline.length === 0) return undefined;
  return {
    kind,
    name,
    ...(kind === "node" ? {} : { namespace }),
    revision: upTo,
    time: rfc3339Millis(upToMs),
    ...timeline,
    now: isPast ? standThen(object) : standNow(key, object, { plane, nowMs: at.nowMs }),
  };
}

const objectThen = ({ past }: PlanePort, key: ObjectKey, revision: Revision) =>
  revision < past.start ? undefined : past.objectAt(key, revision);

/** One decision: by the revision it was committed at. Undefined when the commit is not kept. */
export async function explainDecision(
  plane: PlanePort,
  history: DecisionHistory,
  of: { readonly name: string; readonly revision: Revision },
): Promise<Explanation | undefined> {
  const { past } = plane;
  const inMemory = past.commit(of.revision);
  const [commit] =
    inMemory === undefined ? (await past.page(of.revision - 1, of.revision)).commits : [inMemory];
  if (commit === undefined) return undefined;
  const touches = commit.changes.map((change) => ({
    commit,
    change: { before: undefined, ...change },
  }));
  const step = commitStep(touches.length > 0 ? touches : [bare(commit)], { past, history });
  return {
    kind: "decision",
    name: of.name,
    revision: of.revision,
    time: step.at,
    timeline: [step],
    leftOff: false,
    record: { from: of.revision - 1, isWhole: true, says: "This is the full history." },
    now: {
      exists: true,
      says: `Revision ${of.revision} committed it; it holds until a later commit changes it.`,
      owner: "nobody",
      next: "nothing",
      waits: [],
    },
  };
}

/** A commit that changed nothing opens an epoch. */
const bare = (commit: Parameters<typeof commitStep>[0][number]["commit"]) => ({
  commit,
  change: { key: "" as ObjectKey, before: undefined, after: undefined },
});
