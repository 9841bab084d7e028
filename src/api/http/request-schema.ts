/**
 * The shape of what agents and remote controllers send to the authority. The authority's rules
 * trust the shape of a command: a malformed one must not reach them, because a broken assertion
 * there stops the plane.
 */
import { DRIVER_NAMES } from "../../core/model/node/driver-name.ts";
import { type TSchema, Type } from "typebox";
import { INDEXES_PER_COMMAND } from "../../core/protocol/command.ts";
import { JOB_FAILURES } from "../../core/model/batch.ts";
import { KINDS } from "../../core/model/ids.ts";
import { ROLES } from "../../core/model/actor.ts";
import { OBJECT_MOST } from "../../core/model/limits/object-limits.ts";
import { COMMAND } from "./command-limits.ts";
import { desiredSchema } from "../write/desired-schema.ts";
import {
  annotationMap,
  count,
  exactly,
  list,
  longText,
  oneOf,
  replicas,
  text,
  textMap,
  word,
} from "./wire-shapes.ts";

const KEY_MAX = 1_024;

const key = Type.String({ pattern: `^(${KINDS.join("|")})/[^/ ]*/[^/ ]+$`, maxLength: KEY_MAX });
/**
 * One that names as many indexes as a command may has a run of digits for each, and twelve of them
 * at the most.
 */
const OPERATION_MAX = KEY_MAX + 12 * INDEXES_PER_COMMAND;
const operation = Type.String({ minLength: 1, maxLength: OPERATION_MAX });

const evidence = Type.Union([
  exactly({ kind: word("lease-expired"), node: text, session: count, seq: count }),
  exactly({ kind: word("node-fenced"), node: text, session: count }),
  exactly({ kind: word("session-ended"), node: text, session: count }),
  exactly({ kind: word("replace-after"), node: text, session: count }),
  exactly({ kind: word("reconciled"), stays: key }),
  exactly({ kind: word("node-vanished"), node: text, session: count }),
  exactly({ kind: word("agent-forgot"), node: text, session: count }),
  exactly({ kind: word("person"), name: text, statement: text }),
  exactly({ kind: word("surplus"), workload: key }),
  exactly({ kind: word("gang-deadline"), workload: key }),
  exactly({ kind: word("job-over"), workload: key }),
  exactly({ kind: word("job-ttl"), workload: key }),
  exactly({ kind: word("drain"), node: text }),
  exactly({ kind: word("drain-forced"), node: text }),
  exactly({ kind: word("policy-rollback"), policy: key, revision: text }),
  exactly({ kind: word("quota-reclaim"), waiting: key }),
  exactly({ kind: word("quota-shrunk"), quota: key }),
  exactly({ kind: word("hold-over"), owner: key }),
  exactly({ kind: word("damping-over"), node: text }),
  exactly({ kind: word("owner-gone"), owner: key }),
  exactly({ kind: word("owners-gone"), owners: list(text) }),
  exactly({ kind: word("override-over"), override: key, untilMs: count }),
  exactly({ kind: word("binding-over"), binding: key, untilMs: count }),
  exactly({ kind: word("budget-over"), budget: key, untilMs: count }),
  exactly({ kind: word("provision-over"), node: text }),
  exactly({ kind: word("not-confirmed"), region: text, rule: text }),
  exactly({ kind: word("confirm-overdue"), override: text }),
]);

const expect = exactly({
  revision: Type.Optional(count),
  generation: Type.Optional(count),
});

const owner = exactly({
  key,
  uid: Type.Optional(text),
  isController: Type.Optional(Type.Literal(true)),
  blocksDeletion: Type.Optional(Type.Boolean()),
});

const condition = exactly({
  type: text,
  status: oneOf(["True", "False", "Unknown"]),
  reason: longText,
  message: longText,
  sinceMs: Type.Integer(),
  observedGeneration: Type.Optional(count),
});

const address = exactly({
  host: text,
  ports: Type.Unsafe<Readonly<Record<string, number>>>({
    type: "object",
    maxProperties: COMMAND.ports,
    additionalProperties: { type: "integer", minimum: 0, maximum: 65_535 },
  }),
});

const health = oneOf(["ready", "suspect", "unknown", "fenced"]);

const intent = (kind: string, properties: Readonly<Record<string, TSchema>>) => ({
  kind,
  schema: exactly({ kind: word(kind), operation, ...properties }),
});

/** The authority bounds it too; what is longer need not be read to the end. */
const many = (of: TSchema) => Type.Array(of, { minItems: 1, maxItems: INDEXES_PER_COMMAND });

const binding = {
  replica: key,
  incarnation: count,
  node: text,
  deviceIds: list(text),
  spare: Type.Optional(key),
  policyRevision: Type.Optional(text),
  budget: Type.Optional(text),
};

const rollMove = Type.Union([
  exactly({
    kind: word("advance"),
    begin: list(count),
    drop: list(exactly({ generation: count, indexes: list(count) })),
    step: count,
  }),
  exactly({ kind: word("finish") }),
  exactly({ kind: word("fail"), reason: text }),
]);

const drivers = Type.Optional(
  list(
    exactly({
      name: oneOf(DRIVER_NAMES),
      lacks: Type.Optional(text),
      lacksDisk: Type.Optional(text),
    }),
    COMMAND.notes,
  ),
);

const intents = [
  intent("put", {
    key,
    desired: desiredSchema,
    labels: textMap,
    annotations: Type.Optional(annotationMap),
    managedFields: Type.Optional(Type.String({ maxLength: OBJECT_MOST.managedFieldsBytes })),
    conditions: Type.Optional(list(condition)),
    finalizers: list(text),
    owners: Type.Optional(list(owner)),
    expect,
    force: Type.Optional(Type.Literal(true)),
  }),
  intent("delete", {
    key,
    expect,
    orphan: Type.Optional(Type.Literal(true)),
    evidence: Type.Optional(evidence),
  }),
  intent("admit", { workload: key, generation: count, index: count, incarnation: count }),
  intent("enqueue", {
    workload: key,
    generation: count,
    indexes: many(exactly({ index: count, incarnation: count })),
  }),
  intent("reserve", { replica: key, incarnation: count, deadlineMs: count }),
  intent("transition", {
    key,
    incarnation: count,
    from: word("admitted"),
    to: word("queued"),
    reservation: key,
  }),
  intent("transition", {
    key,
    session: count,
    from: health,
    to: oneOf(["suspect", "unknown", "fenced"]),
    evidence,
  }),
  intent("bind", binding),
  intent("bind-all", { bindings: many(exactly(binding)) }),
  intent("preempt", {
    ...binding,
    victims: list(exactly({ replica: key, incarnation: count }), COMMAND.victims),
    holdMs: count,
  }),
  intent("hold-recovery", {
    workload: key,
    holds: count,
    rooms: list(exactly({ node: text, deviceIds: list(text) }), 2 * INDEXES_PER_COMMAND),
    drop: list(key, 2 * INDEXES_PER_COMMAND),
  }),
  intent("recover", { workload: key }),
  intent("roll", { workload: key, retargets: count, move: rollMove }),
  intent("finish", {
    workload: key,
    generation: count,
    end: oneOf(["succeeded", ...JOB_FAILURES]),
  }),
  intent("activate", {
    policy: text,
    region: Type.Optional(text),
    from: text,
    to: text,
    reason: longText,
  }),
  intent("observe", {
    autoscaler: key,
    reading: exactly({ sumMillis: count, covered: count, of: count, windowMs: count }),
  }),
  intent("scale", {
    autoscaler: key,
    observation: count,
    generation: count,
    from: count,
    to: count,
  }),
  intent("provision", { pool: text, node: text, workload: key }),
  intent("provisioned", {
    node: text,
    outcome: Type.Union([word("asked"), word("gone"), exactly({ failed: text })]),
  }),
  intent("scale-down", { node: text }),
  intent("drain-over", { node: text, generation: count }),
  intent("release", { key, incarnation: count, evidence }),
  intent("unreserve", { key, incarnation: count, evidence }),
  intent("expire", { key, incarnation: count, evidence }),
  intent("confirm", { replica: key, incarnation: count }),
  intent("evict", { replica: key, incarnation: count, evidence }),
  intent("report", {
    replica: key,
    uid: Type.Optional(text),
    incarnation: count,
    node: text,
    session: count,
    stage: oneOf(["starting", "ready", "serving", "running", "succeeded", "failed", "released"]),
    address: Type.Optional(address),
    reason: Type.Optional(text),
    probe: Type.Optional(exactly({ said: text, times: count, forMs: Type.Optional(count) })),
    wasStable: Type.Optional(Type.Literal(true)),
    rejected: Type.Optional(Type.Literal(true)),
  }),
  intent("lease", {
    node: text,
    session: count,
    seq: count,
    kept: replicas(key),
    notes: Type.Optional(list(text, COMMAND.notes)),
    inventory: Type.Optional(exactly({ asOf: count, replicas: replicas(key), drivers })),
    clock: Type.Optional(exactly({ startedMs: Type.Integer(), nowMs: Type.Integer() })),
  }),
];

const actor = exactly({ role: oneOf(ROLES), name: text });

const lookup = exactly({
  kind: word("lookup"),
  operation,
  attempt: count,
  // Whose it is; of a caller with a token, the token says so.
  actor: Type.Optional(actor),
});

const commandOf = (schema: TSchema) =>
  exactly({
    kind: word("command"),
    command: exactly({ intent: schema, epoch: count, basis: count, actor }),
    attempt: count,
  });

const bodyOf = (request: TSchema) => exactly({ from: text, request });

const schemasOf = (kind: string): readonly TSchema[] =>
  intents.filter((each) => each.kind === kind).map(({ schema }) => schema);

/** The body of `POST /commands`, by the kind of its intent. */
export const COMMAND_SCHEMAS: ReadonlyMap<string, TSchema> = new Map(
  intents.map(({ kind }) => [kind, bodyOf(commandOf(Type.Union([...schemasOf(kind)])))]),
);

/** One without an intent of a known kind: a lookup, or a mistake. */
export const OTHER_BODY = bodyOf(
  Type.Union([
    commandOf(Type.Object({ kind: oneOf([...new Set(intents.map(({ kind }) => kind))]) })),
    lookup,
  ]),
);
