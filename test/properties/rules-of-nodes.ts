/** The rules of leases, silence and fencing (LS, EV1 to EV4), restated from docs/SPEC.md. */
import type { IntentOf } from "../../src/core/commit/command.ts";
import type { Role } from "../../src/core/model/actor.ts";
import { leaseKey, nodeKey } from "../../src/core/model/ids.ts";
import type { NodeHealth } from "../../src/core/model/objects.ts";
import {
  CLOCK_BOUND_MS,
  CORRELATED_HOLD_MS,
  KILL_GRACE_MS,
  LEASE_MS,
  SUSPECT_AFTER_MS,
} from "../../src/core/model/timing.ts";
import type { BrokenRules } from "./broken-rules.ts";
import { every, find, type LeaseThing, type ModelState, type NodeThing } from "./model-state.ts";

export type MoveNode = Exclude<IntentOf<"transition">, { to: "queued" }>;

export function leaseRules(
  state: ModelState,
  intent: IntentOf<"lease">,
  role: Role,
  broken: BrokenRules,
): void {
  const node = find(state, "Node", nodeKey(intent.node));
  broken.owners(["agent"], role);
  broken.add("no-such-object", node === undefined);
  if (node === undefined) return;
  const lease = find(state, "Lease", leaseKey(intent.node));
  const sameSession = intent.session === node.session;
  broken.add("session-ended", intent.session < node.session);
  broken.add("node-fenced", sameSession && node.health === "fenced");
  broken.add("lease-replayed", sameSession && lease !== undefined && intent.seq <= lease.seq);
}

/** From best to worst; a transition only goes down, a renewal is the only way up. */
const HEALTH: readonly NodeHealth[] = ["ready", "suspect", "unknown", "fenced"];

export function moveNodeRules(
  state: ModelState,
  intent: MoveNode,
  role: Role,
  broken: BrokenRules,
): void {
  const node = find(state, "Node", intent.key);
  broken.add("no-such-object", node === undefined);
  if (node === undefined) return;
  const { evidence } = intent;
  // A person's word counts when a person gives it, and permits fencing only.
  const byWord = role === "user" && evidence.kind === "person" && intent.to === "fenced";
  if (!byWord) broken.owners(["node-health"], role);
  broken.add("session-ended", intent.session !== node.session);
  const worsens = HEALTH.indexOf(intent.to) > HEALTH.indexOf(node.health);
  broken.add("wrong-stage", intent.from !== node.health || !worsens);
  if (byWord) return;
  broken.add("evidence-missing", evidence.kind !== "lease-expired");
  if (evidence.kind !== "lease-expired") return;
  const lease = find(state, "Lease", leaseKey(node.name));
  const names =
    evidence.node === node.name &&
    evidence.session === lease?.session &&
    evidence.seq === lease.seq;
  broken.add("evidence-wrong", !names);
  if (intent.to === "fenced" && lease !== undefined) silenceRules(state, node, lease, broken);
}

const silentMs = (state: ModelState, lease: LeaseThing): number =>
  state.nowMs - (lease.epoch === state.epoch ? lease.renewedMs : state.leadSinceMs);

function silenceRules(
  state: ModelState,
  node: NodeThing,
  lease: LeaseThing,
  broken: BrokenRules,
): void {
  const silent = silentMs(state, lease);
  broken.add("lease-not-over", silent < LEASE_MS + KILL_GRACE_MS + CLOCK_BOUND_MS);
  // Nodes that never spoke, and those whose loss is settled, say nothing about what can be heard now.
  const heard = every(state, "Lease").filter(({ node: name }) => {
    const other = find(state, "Node", nodeKey(name));
    return other?.spec.region === node.spec.region && other.health !== "fenced";
  });
  const quiet = heard.filter((other) => silentMs(state, other) > SUSPECT_AFTER_MS);
  const together = quiet.length >= 3 && quiet.length >= heard.length / 2;
  broken.add("correlated-silence", together && silent < CORRELATED_HOLD_MS);
}
