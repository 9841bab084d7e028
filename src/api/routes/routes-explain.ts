/**
 * Why it is as it is, how it came to be so, and what would change it: timelines, and questions
 * about placement.
 */
import type { FastifyInstance, FastifyRequest } from "fastify";
import {
  keyOf,
  nodeKey,
  type ObjectKey,
  type OperationId,
  type Revision,
  workloadKey,
} from "../../core/model/ids.ts";
import type { Replica } from "../../core/model/objects.ts";
import type { ObjectIndex } from "../../core/observe/object-index.ts";
import { readOf } from "../access/read-of.ts";
import type { Sight } from "../access/sight.ts";
import { withoutOthers } from "../../core/access/without-others.ts";
import { ApiError } from "../errors.ts";
import type { DecisionHistory } from "../explain/decision-history.ts";
import { explain, explainDecision } from "../explain/explain.ts";
import { type Explained, EXPLAINED, type Explanation } from "../explain/explanation.ts";
import { answerWhatIf, answerWhyNot } from "../explain/placement-answers.ts";
import { CONTROLLER, personOf } from "../http/acting-caller.ts";
import type { ApiContext } from "../http/api-context.ts";
import { type Caller, callerOf } from "../http/caller.ts";
import { isTrue } from "../request/is-true.ts";
import { momentOf, type MomentQuery } from "../http/moment.ts";
import { asks, type RouteRule } from "../access/route-rule.ts";

const OF_OBJECT: RouteRule = { kind: "filtered", by: "the object that ?kind= and ?name= name" };

interface ExplainQuery extends MomentQuery {
  readonly kind?: string;
  readonly name?: string;
  readonly namespace?: string;
  readonly deep?: string;
  readonly whyNot?: string;
  readonly whatIf?: string;
}

export function addExplainRoutes(
  app: FastifyInstance,
  context: ApiContext,
  history: DecisionHistory,
): void {
  app.get("/explain", asks(OF_OBJECT), (request) => answer(context, history, request));
}

async function answer(
  context: ApiContext,
  history: DecisionHistory,
  request: FastifyRequest,
): Promise<Explanation> {
  const { plane, clock, authorizer } = context;
  const { kind, name, namespace } = subjectOf(request);
  const caller = callerOf(request);
  const sight = authorizer.sightOf(caller);
  const query = request.query as ExplainQuery;
  const nowMs = clock.nowMs();
  if (kind === "decision") {
    const revision = await revisionOf(context, caller, name);
    const told = await explainDecision(plane, history, { name, revision });
    // Whether it was never committed or is of others makes no difference to the answer.
    if (told === undefined || !isAbout(told, sight)) throw notThere(kind, name);
    return withoutOthers(told, sight);
  }
  authorizer.require(caller, readOf(keyOf({ kind: KINDS[kind], namespace, name })));
  const revision = await momentOf(plane, query, nowMs);
  const at = { nowMs, isDeep: isTrue(query.deep), ...(revision ? { revision } : {}) };
  const told = await explain(plane, history, { kind, namespace, name }, at);
  if (told === undefined) throw notThere(kind, name);
  return withoutOthers({ ...told, ...placementOf(context, query) }, sight);
}

const KINDS = { replica: "Replica", workload: "Workload", node: "Node" } as const;

/** A decision that changed something that the caller sees. */
const isAbout = ({ timeline }: Explanation, sight: Sight): boolean =>
  sight.isWhole ||
  timeline.some(
    (step) => step.kind === "commit" && step.what.some(({ of }) => sight.seesShown(of)),
  );

/** Questions about the present, whatever moment the timeline is of. */
function placementOf(
  { plane: { objects } }: ApiContext,
  { kind, name = "", namespace = "", whyNot = "", whatIf, revision, at }: ExplainQuery,
): Pick<Explanation, "whyNot" | "whatIf"> {
  const asksWhatIf = isTrue(whatIf);
  if (whyNot === "" && !asksWhatIf) return {};
  const isOfNow = (revision ?? "") === "" && (at ?? "") === "";
  if ((kind !== "replica" && kind !== "workload") || !isOfNow) {
    throw new ApiError(
      "bad-request",
      "whyNot and whatIf are about a replica, or the first waiting replica of a workload, at this moment.",
    );
  }
  const replica =
    kind === "workload"
      ? firstWaiting(objects, workloadKey(namespace, name))
      : objects.replica(keyOf({ kind: "Replica", namespace, name }));
  if (replica === undefined) {
    if (kind === "replica") throw notThere("replica", name);
    throw new ApiError("bad-request", `No replica of ${name} waits for quota or a node.`);
  }
  if (whyNot !== "" && objects.node(nodeKey(whyNot)) === undefined) throw notThere("node", whyNot);
  return {
    ...(whyNot === "" ? {} : { whyNot: answerWhyNot(objects, replica, whyNot) }),
    ...(asksWhatIf ? { whatIf: answerWhatIf(objects, replica) } : {}),
  };
}

/** Of replicas that wait alike, the one that a person would ask about. */
function firstWaiting(objects: ObjectIndex, workload: ObjectKey): Replica | undefined {
  const waiting = [...objects.replicasOf(workload).values()].filter(
    ({ status: { stage, stopping } }) =>
      stopping === undefined && (stage === "admitted" || stage === "queued"),
  );
  return waiting.toSorted((a, b) => a.spec.index - b.spec.index)[0];
}

function subjectOf({ query }: FastifyRequest): {
  readonly kind: Explained;
  readonly name: string;
  readonly namespace: string;
} {
  const { kind = "", name = "", namespace = "" } = query as ExplainQuery;
  const known = EXPLAINED.find((each) => each === kind);
  if (known === undefined || name === "") {
    throw new ApiError(
      "bad-request",
      `/explain wants ?kind=${EXPLAINED.join("|")}&name=NAME; found kind "${kind}" and name "${name}".`,
    );
  }
  if ((known === "replica" || known === "workload") && namespace === "") {
    throw new ApiError("bad-request", `/explain of a ${known} also needs &namespace=TENANT.`);
  }
  return { kind: known, name, namespace };
}

/** A decision is named by the revision it was committed at, or by its operation. */
async function revisionOf({ plane }: ApiContext, caller: Caller, name: string): Promise<Revision> {
  if (/^\d{1,15}$/.test(name)) return Number(name);
  const operation = name as OperationId;
  // Other people's and agents' operations are found by their revision only (ID2).
  for (const actor of [CONTROLLER, personOf(caller)]) {
    const reply = await plane.request("api", { kind: "lookup", operation, actor, attempt: 1 });
    if (reply.kind === "found") return reply.first.revision;
  }
  throw notThere("decision", name);
}

const notThere = (kind: Explained, name: string): ApiError =>
  ApiError.worded("not-found", `${kind} "${name}" not found, and the log has no history of it`, {
    name,
    kind,
  });
