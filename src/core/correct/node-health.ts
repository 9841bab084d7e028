/**
 * Notices silence. Observes leases; proposes suspect → unknown → fenced, each only when its time has come
 * by this controller's own clock since it *saw* the last renewal: times written by others are on other
 * clocks. Whether a node's processes are really over is the authority's judgement, not this one's.
 */
import type { Change } from "../commit/commit-record.ts";
import type { Controller } from "../controller.ts";
import { type Decision, type Look, propose, settled, wait } from "../decision.ts";
import { leaseKey, nodeKey, type ObjectKey, type Revision } from "../model/ids.ts";
import type { Lease, Node } from "../model/objects.ts";
import {
  CORRELATED_HOLD_MS,
  FENCE_AFTER_MS,
  SUSPECT_AFTER_MS,
  UNKNOWN_AFTER_MS,
} from "../model/timing.ts";
import { isCorrelated, type RegionSilence } from "../observe/correlated-silence.ts";
import type { View } from "../observe/view.ts";
import { healthOperation } from "../operations.ts";

/** Correlated silence is judged anew this often: it may end for a region while one node stays lost. */
const HOLD_RECHECK_MS = 5_000;

/** The last renewal of a node this controller has seen, and when, by its own clock. */
interface Heard {
  readonly session: number;
  readonly seq: number;
  readonly atMs: number;
}

/**
 * What is heard of all nodes. How many of a region are silent is counted once for all looks of a turn: counted at
 * each of them, five thousand nodes that fall silent together would be counted five thousand times over.
 */
interface Hearing {
  readonly nodes: Map<string, Heard>;
  readonly silences: Map<string, RegionSilence>;
  /** Of which turn, and on which view, the silences are. */
  countedMs: number;
  countedAt: Revision;
}

const LISTENING = { summary: "the node speaks; nothing to do until it falls silent" };
const WAITING_OUT = { summary: "the node is silent, not yet long enough for the next step" };
const HELD = { summary: "many nodes of the region are silent at once; we may be the blind ones" };

export function createNodeHealth(): Controller {
  const hearing: Hearing = { nodes: new Map(), silences: new Map(), countedMs: -1, countedAt: -1 };
  return {
    role: "node-health",
    interest: { kinds: new Set(["Node", "Lease"]), node: undefined },
    keysFor: ({ after, before }: Change) => {
      const object = after ?? before;
      if (object?.kind === "Lease") return [nodeKey(object.spec.node)];
      return object?.kind === "Node" ? [object.key] : [];
    },
    allKeys: (view) => [...view.objects.all("Node").keys()],
    reconcile: (key, view, look) => watchNode(key, view, look, hearing),
  };
}

function watchNode(key: ObjectKey, view: View, look: Look, hearing: Hearing): Decision {
  const node = view.objects.node(key);
  if (node === undefined) return settled;
  const name = node.meta.name;
  const lease = view.objects.lease(leaseKey(name));
  // A node nobody ever spoke for has nothing to lose; a fenced one has nothing left.
  if (lease === undefined || node.status.health === "fenced") return settled;
  const { atMs } = hear(lease, look, hearing.nodes);
  const silentMs = look.now - atMs;
  const { health } = node.status;
  if (silentMs < SUSPECT_AFTER_MS) {
    return wait({
      reason: "not-silent-long-enough",
      wakes: [],
      deadlineMs: atMs + SUSPECT_AFTER_MS,
      because: LISTENING,
    });
  }
  if (silentMs >= FENCE_AFTER_MS) {
    const heldUntilMs = heldBack(node, view, look, hearing);
    if (heldUntilMs === undefined) return move(node, lease, "fenced", silentMs);
    if (health === "unknown") {
      return wait({
        reason: "correlated-silence",
        wakes: [],
        deadlineMs: Math.min(heldUntilMs, look.now + HOLD_RECHECK_MS),
        because: HELD,
      });
    }
  }
  if (silentMs >= UNKNOWN_AFTER_MS && health !== "unknown")
    return move(node, lease, "unknown", silentMs);
  if (health === "ready") return move(node, lease, "suspect", silentMs);
  return wait({
    reason: "not-silent-long-enough",
    wakes: [],
    deadlineMs: atMs + (health === "unknown" ? FENCE_AFTER_MS : UNKNOWN_AFTER_MS),
    because: WAITING_OUT,
  });
}

function hear(lease: Lease, look: Look, heard: Map<string, Heard>): Heard {
  const { session, seq } = lease.status;
  const known = heard.get(lease.spec.node);
  if (known?.session === session && known.seq === seq) return known;
  // Also the first look after a restart: every node gets its full time again.
  const now = { session, seq, atMs: look.now };
  heard.set(lease.spec.node, now);
  return now;
}

/** Until when destructive action is held because the silence is correlated; undefined when it is not. */
function heldBack(node: Node, view: View, look: Look, hearing: Hearing): number | undefined {
  const own = hearing.nodes.get(node.meta.name)?.atMs ?? look.now;
  if (look.now - own >= CORRELATED_HOLD_MS) return undefined;
  const silence = silenceOf(node.spec.region, view, look, hearing);
  return isCorrelated(silence) ? own + CORRELATED_HOLD_MS : undefined;
}

/** Whoever is heard of later in the turn still counts as silent: that only holds back for longer. */
function silenceOf(region: string, view: View, look: Look, hearing: Hearing): RegionSilence {
  if (hearing.countedMs !== look.now || hearing.countedAt !== view.revision) {
    hearing.silences.clear();
    hearing.countedMs = look.now;
    hearing.countedAt = view.revision;
  }
  const known = hearing.silences.get(region);
  if (known !== undefined) return known;
  const silence = regionSilence(region, view, look, hearing.nodes);
  hearing.silences.set(region, silence);
  return silence;
}

function regionSilence(
  region: string,
  view: View,
  look: Look,
  heard: ReadonlyMap<string, Heard>,
): RegionSilence {
  let silent = 0;
  let watched = 0;
  for (const node of view.objects.all("Node").values()) {
    const last = heard.get(node.meta.name);
    if (node.spec.region !== region || node.status.health === "fenced" || last === undefined)
      continue;
    watched += 1;
    if (look.now - last.atMs > SUSPECT_AFTER_MS) silent += 1;
  }
  return { silent, watched };
}

function move(
  node: Node,
  lease: Lease,
  to: "suspect" | "unknown" | "fenced",
  silentMs: number,
): Decision {
  const { session, seq } = lease.status;
  const name = node.meta.name;
  return propose(
    [
      {
        kind: "transition",
        operation: healthOperation({ node: name, session, seq, to }),
        key: node.key,
        session: node.status.session,
        from: node.status.health,
        to,
        evidence: { kind: "lease-expired", node: name, session, seq },
      },
    ],
    { summary: `${name} has been silent for ${silentMs} ms: ${to}` },
  );
}
