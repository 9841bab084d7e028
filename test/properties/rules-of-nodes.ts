/** The rules of leases, silence and fencing (LS, EV1 to EV4, EV6, EV7), restated from docs/SPEC.md. */
import type { IntentOf } from "../../src/core/protocol/command.ts";
import type { Role } from "../../src/core/model/actor.ts";
import { leaseKey, nodeKey } from "../../src/core/model/ids.ts";
import type { NodeHealth } from "../../src/core/model/objects.ts";
import {
  CLOCK_BOUND_MS,
  KILL_GRACE_MS,
  LEASE_MS,
  SUSPECT_AFTER_MS,
} from "../../src/core/model/timing.ts";
import type { BrokenRules } from "./broken-rules.ts";
import {
  every,
  find,
  type LeaseThing,
  type ModelState,
  type NodeThing,
  type ToldSilence,
} from "./model-state.ts";

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
  // What was fenced for silence a person may vouch for afterwards, once.
  const vouches = byWord && node.health === "fenced" && node.because !== "person";
  // From unknown to unknown only says for how long by now.
  const tells = !byWord && intent.to === "unknown" && node.health === "unknown";
  const worsens = vouches || tells || HEALTH.indexOf(intent.to) > HEALTH.indexOf(node.health);
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
  if (tells && lease !== undefined) {
    const wholeMs = silentMs(state, lease) + silenceBefore(state, node, lease);
    const { ownMs = 0, beforeMs = 0 } = toldOfThis(node, lease) ?? {};
    broken.add("lease-not-over", wholeMs < ownMs + beforeMs + 15_000);
  }
  if (intent.to === "fenced" && lease !== undefined) silenceRules(state, node, lease, broken);
}

/** EV3: on the authority's own clock, since the last renewal or the beginning of its leadership. */
export const silentMs = (state: ModelState, lease: LeaseThing): number =>
  state.nowMs - (lease.epoch === state.epoch ? lease.renewedMs : state.leadSinceMs);

/** EV11: what was committed of the silence that began with this renewal. */
const toldOfThis = ({ told }: NodeThing, lease: LeaseThing): ToldSilence | undefined =>
  told?.session === lease.session && told.seq === lease.seq ? told : undefined;

/** What leaderships before the present one had committed of it. */
export function silenceBefore(state: ModelState, node: NodeThing, lease: LeaseThing): number {
  const told = toldOfThis(node, lease);
  if (told === undefined) return 0;
  return told.epoch === state.epoch ? told.beforeMs : told.beforeMs + told.ownMs;
}

function silenceRules(
  state: ModelState,
  node: NodeThing,
  lease: LeaseThing,
  broken: BrokenRules,
): void {
  const silent = silentMs(state, lease);
  broken.add("lease-not-over", silent < LEASE_MS + KILL_GRACE_MS + CLOCK_BOUND_MS);
  const wholeMs = silent + silenceBefore(state, node, lease);
  const { region, zone } = node.spec;
  const places = [
    { holdMs: 60_000, has: (of: NodeThing) => of.spec.region === region && of.spec.zone === zone },
    { holdMs: 120_000, has: (of: NodeThing) => of.spec.region === region },
    { holdMs: 300_000, has: () => true, inRegions: 2 },
  ];
  for (const { holdMs, has, inRegions = 1 } of places) {
    const heard = every(state, "Lease").flatMap((other) => {
      const at = find(state, "Node", nodeKey(other.node));
      // Nodes that never spoke, and those whose loss is settled, say nothing about what can be heard now.
      return at !== undefined && at.health !== "fenced" && has(at) ? [{ other, at }] : [];
    });
    const quiet = heard.filter(({ other }) => {
      const backMs = other.epoch === state.epoch ? other.backMs : undefined;
      const isJustBack = backMs !== undefined && state.nowMs - backMs <= LEASE_MS;
      return isJustBack || silentMs(state, other) > SUSPECT_AFTER_MS;
    });
    const regions = new Set(quiet.map(({ at }) => at.spec.region));
    const together = quiet.length >= 3 && quiet.length >= heard.length / 2;
    const isWide = regions.size >= inRegions;
    broken.add("correlated-silence", together && isWide && wholeMs < holdMs);
  }
}
