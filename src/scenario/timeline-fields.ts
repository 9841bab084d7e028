/**
 * What people do during a run, as it stands in a file: `{ at: 10s, scale: { workload: a/b,
 * replicas: 6 } }`.
 */
import type { TimelineEntry, UserAction } from "../sim/world/world.ts";
import { fieldsOf } from "../core/kinds/kind-definitions.ts";
import { assert } from "../core/model/assert.ts";
import type { RolloutSpec } from "../core/model/rollout.ts";
import { readFields, writtenNames } from "../manifest/read-fields.ts";
import { type PlainFields, writeFields } from "../manifest/write-fields.ts";
import { plainCpuAndMemory, readCpuAndMemory } from "./amounts-fields.ts";
import {
  plainGrantRecoveryBudget,
  readExtendRecoveryBudget,
  readGrantRecoveryBudget,
  readWithdrawRecoveryBudget,
} from "./recovery-budget-fields.ts";
import type { Cursor, Fields } from "./cursor.ts";
import { formatDuration } from "../quantity/duration.ts";
import { didYouMean } from "../spelling/nearest.ts";
import { plainDrain, plainUncordon, readDrain, readUncordon } from "./maintenance-fields.ts";
import { plainNode, readNodes } from "./node-fields.ts";
import { plainOverride, readExtend, readOverride, readOverrideRelease } from "./override-fields.ts";
import { plainQuotaTerms, QUOTA_NAMES, readQuotaFields } from "./quota-fields.ts";
import {
  plainActivate,
  plainPolicyRevision,
  readActivate,
  readPolicyRevision,
} from "./policy-fields.ts";
import { plainPriorityClass, readPriorityClass } from "./priority-class-fields.ts";
import type { References } from "./references.ts";
import { plainWorkload, readWorkload } from "./workload-fields.ts";
import { writtenFields } from "./written-cursor.ts";

const { rollout: ofWorkload } = fieldsOf("Workload");
assert(ofWorkload?.form === "object", "A rollout has several fields.");
const ROLLOUT = ofWorkload.fields;

type ActionName = UserAction["do"];

const READ: {
  readonly [Name in ActionName]: (value: Cursor, references: References) => UserAction;
} = {
  "put-workload": (value, references) => ({
    do: "put-workload",
    workload: readWorkload(value, references),
  }),
  scale: (value, references) => {
    const fields = value.fields(["workload", "replicas"]);
    return {
      do: "scale",
      ...workloadOf(fields, references),
      replicas: fields.need("replicas").integer(0),
    };
  },
  "delete-workload": (value, references) => ({
    do: "delete-workload",
    ...workloadOf(value.fields(["workload"]), references),
  }),
  "delete-replica": (value, references) => {
    const fields = value.fields(["workload", "generation", "index"]);
    return {
      do: "delete-replica",
      ...workloadOf(fields, references),
      generation: fields.need("generation").integer(1),
      index: fields.need("index").integer(0),
    };
  },
  "change-template": (value, references) => {
    const fields = value.fields(["workload", "command", "resources"]);
    const command = fields.need("command").list((word) => word.text("a word of the command"));
    const asked = fields.has("resources")
      ? { amounts: readCpuAndMemory(fields.need("resources")) }
      : {};
    return { do: "change-template", ...workloadOf(fields, references), command, ...asked };
  },
  "set-rollout": (value, references) => {
    const fields = value.fields(["workload", "rollout"]);
    const at = fields.need("rollout").fields(writtenNames(ROLLOUT));
    const read = readFields(ROLLOUT, writtenFields(at, references));
    const rollout = read as unknown as RolloutSpec;
    return { do: "set-rollout", ...workloadOf(fields, references), rollout };
  },
  "set-owners": (value, references) => {
    const fields = value.fields(["workload", "owners"]);
    const of = workloadOf(fields, references);
    const owners = fields.need("owners").list((item) => {
      const name = item.text("the name of a workload");
      references.refer("workload", `${of.tenant}/${name}`, item);
      return name;
    });
    return { do: "set-owners", ...of, owners };
  },
  "set-secret": (value, references) => {
    const fields = value.fields(["tenant", "name", "keys"]);
    const keys = fields.need("keys").list((item) => item.text("a key of the secret"));
    return {
      do: "set-secret",
      tenant: tenantOf(fields, references),
      name: fields.need("name").text("the name of the secret"),
      keys,
    };
  },
  "delete-tenant": (value, references) => ({
    do: "delete-tenant",
    tenant: tenantOf(value.fields(["tenant"]), references),
  }),
  "delete-quota": (value, references) => ({
    do: "delete-quota",
    tenant: tenantOf(value.fields(["tenant"]), references),
  }),
  "lift-finalizers": (value, references) => ({
    do: "lift-finalizers",
    tenant: tenantOf(value.fields(["tenant"]), references),
  }),
  "set-quota": (value, references) => {
    const fields = value.fields(["tenant", ...QUOTA_NAMES]);
    const tenant = tenantOf(fields, references);
    const { quota: limit, ...rest } = readQuotaFields(fields, references);
    return { do: "set-quota", tenant, limit, ...rest };
  },
  "put-priority-class": (value) => ({
    do: "put-priority-class",
    priorityClass: readPriorityClass(value),
  }),
  "put-policy-revision": (value, references) => ({
    do: "put-policy-revision",
    policyRevision: readPolicyRevision(value, references),
  }),
  activate: readActivate,
  override: readOverride,
  "extend-override": readExtend,
  "release-override": readOverrideRelease,
  "grant-budget": readGrantRecoveryBudget,
  "extend-budget": readExtendRecoveryBudget,
  "withdraw-budget": readWithdrawRecoveryBudget,
  cordon: (value, references) => ({ do: "cordon", ...cordonOf(value, references) }),
  uncordon: readUncordon,
  drain: readDrain,
  undrain: (value, references) => ({
    do: "undrain",
    node: nodeOf(value.fields(["node"]), references),
  }),
  "delete-node": (value, references) => ({
    do: "delete-node",
    node: nodeOf(value.fields(["node"]), references),
  }),
  "restore-node": (value, references) => ({
    do: "restore-node",
    node: nodeOf(value.fields(["node"]), references),
  }),
  "add-node": (value, references) => {
    const [node, ...others] = readNodes(value, references);
    if (others.length > 0) value.fail("found a pool; an entry adds one node: remove count.");
    if (!node) throw new Error("reading a node gave none");
    return { do: "add-node", node };
  },
};

const ACTIONS = Object.keys(READ) as readonly ActionName[];

export function readTimelineEntry(
  cursor: Cursor,
  references: References,
): TimelineEntry | undefined {
  const entries = cursor.entries();
  const at = entries.get("at");
  const actions = [...entries].filter(([name]) => name !== "at");
  if (!at && cursor.isMapping) cursor.fail(`required field "at" is missing.`);
  const atMs = at?.value.durationMs() ?? 0;
  const [first, second] = actions;
  if (!first) {
    if (cursor.isMapping) cursor.fail(`found no action, expected one of ${ACTIONS.join(", ")}.`);
    return undefined;
  }
  if (second) second[1].key.fail(`found a second action "${second[0]}"; use a separate entry.`);
  const [name, { key, value }] = first;
  const known = ACTIONS.find((action) => action === name);
  if (known === undefined) {
    key.fail(
      `unknown action "${name}", expected one of ${ACTIONS.join(", ")}.${didYouMean(name, ACTIONS)}`,
    );
    return undefined;
  }
  return { atMs, action: READ[known](value, references) };
}

function workloadOf(fields: Fields, references: References): { tenant: string; workload: string } {
  const cursor = fields.need("workload");
  const text = cursor.text("a workload as tenant/name");
  const [tenant, workload, ...rest] = text.split("/");
  if (tenant === undefined || workload === undefined || rest.length > 0) {
    if (text !== "") cursor.expected("a workload as tenant/name");
    return { tenant: "", workload: "" };
  }
  references.refer("workload", text, cursor);
  return { tenant, workload };
}

function tenantOf(fields: Fields, references: References): string {
  const cursor = fields.need("tenant");
  const tenant = cursor.text("the name of a tenant");
  references.refer("tenant", tenant, cursor);
  return tenant;
}

function nodeOf(fields: Fields, references: References): string {
  const cursor = fields.need("node");
  const node = cursor.text("the name of a node");
  references.refer("node", node, cursor);
  return node;
}

function cordonOf(value: Cursor, references: References): { node: string; holder: string } {
  const fields = value.fields(["node", "holder"]);
  return { node: nodeOf(fields, references), holder: fields.need("holder").text() };
}

export function plainTimelineEntry({ atMs, action }: TimelineEntry): PlainFields {
  return { at: formatDuration(atMs), [action.do]: plainAction(action) };
}

function plainAction(action: UserAction): PlainFields {
  switch (action.do) {
    case "put-workload":
      return plainWorkload(action.workload);
    case "scale":
      return { workload: `${action.tenant}/${action.workload}`, replicas: action.replicas };
    case "delete-workload":
      return { workload: `${action.tenant}/${action.workload}` };
    case "delete-replica": {
      const { tenant, workload, generation, index } = action;
      return { workload: `${tenant}/${workload}`, generation, index };
    }
    case "change-template":
      return {
        workload: `${action.tenant}/${action.workload}`,
        command: action.command,
        ...(action.amounts === undefined ? {} : { resources: plainCpuAndMemory(action.amounts) }),
      };
    case "set-rollout":
      return {
        workload: `${action.tenant}/${action.workload}`,
        rollout: writeFields(ROLLOUT, action.rollout, "world"),
      };
    case "set-owners":
      return { workload: `${action.tenant}/${action.workload}`, owners: action.owners };
    case "set-secret":
      return { tenant: action.tenant, name: action.name, keys: action.keys };
    case "delete-tenant":
    case "delete-quota":
    case "lift-finalizers":
      return { tenant: action.tenant };
    case "set-quota":
      return {
        tenant: action.tenant,
        ...plainQuotaTerms({ ...action, quota: action.limit }),
      };
    case "put-priority-class":
      return plainPriorityClass(action.priorityClass);
    case "put-policy-revision":
      return plainPolicyRevision(action.policyRevision);
    case "activate":
      return plainActivate(action);
    case "override":
      return plainOverride(action);
    case "grant-budget":
      return plainGrantRecoveryBudget(action);
    case "extend-override":
    case "extend-budget":
      return { name: action.name, as: action.as, ttl: formatDuration(action.ttlMs) };
    case "release-override":
    case "withdraw-budget":
      return { name: action.name, as: action.as };
    case "cordon":
      return { node: action.node, holder: action.holder };
    case "uncordon":
      return plainUncordon(action);
    case "drain":
      return plainDrain(action);
    case "undrain":
    case "delete-node":
    case "restore-node":
      return { node: action.node };
    case "add-node":
      return plainNode(action.node);
  }
}
