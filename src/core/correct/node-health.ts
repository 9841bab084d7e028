/**
 * Notices silence. Observes leases; proposes suspect → unknown → fenced, each only when its time
 * has come by this controller's own clock since it *saw* the last renewal: times written by others
 * are on other clocks. Whether a node's processes are really over is the authority's check, not
 * this one's.
 */
import type { Change } from "../protocol/commit-record.ts";
import type { Controller } from "../runner/controller.ts";
import { type Decision, type Look, propose, settled, wait } from "../protocol/decision.ts";
import { leaseKey, nodeKey, type ObjectKey, parseKey, type Revision } from "../model/ids.ts";
import type { Lease, Node } from "../model/objects.ts";
import {
  FENCE_AFTER_MS,
  SILENCE_TOLD_MS,
  SUSPECT_AFTER_MS,
  SUSPECT_CLOCK_FENCE_MS,
  UNKNOWN_AFTER_MS,
} from "../model/timing.ts";
import { carriedSilenceMs, committedSilenceMs } from "../observe/carried-silence.ts";
import type { Hold, SilencePicture } from "../observe/correlated-silence.ts";
import { defaultRules } from "../observe/policy-in-force.ts";
import { type LastHeard, SilenceCounts } from "../observe/silence-counts.ts";
import type { View } from "../observe/view.ts";
import { healthOperation } from "../protocol/operations.ts";
import { liftDamping, type SeenDamping } from "./lift-damping.ts";

/**
 * Correlated silence is checked anew this often: it may end for a region while one node stays lost.
 */
const HOLD_RECHECK_MS = 5_000;

/** The last renewal of a node this controller has seen, and when, by its own clock. */
interface Heard {
  readonly session: number;
  readonly seq: number;
  readonly atMs: number;
  /** When it was last heard after it had been late. */
  readonly backMs: number;
  readonly isLate: boolean;
}

/** What is heard of all nodes. Who is silent where is the same for all looks of a turn. */
interface Hearing {
  readonly nodes: Map<string, Heard>;
  /** Holds on nodes that flapped, and since when they are known here. */
  readonly dampings: Map<string, SeenDamping>;
  readonly silence: SilenceCounts;
  picture: SilencePicture | undefined;
  /** Of which turn, and on which view, the picture is. */
  countedMs: number;
  countedAt: Revision;
}

interface Scene {
  readonly view: View;
  readonly look: Look;
  readonly hearing: Hearing;
}

const LISTENING = { summary: "the node renews its lease; nothing to do" };
const WAITING_OUT = { summary: "the node is silent, but not long enough for the next step" };

export function createNodeHealth(): Controller {
  const hearing: Hearing = {
    nodes: new Map(),
    dampings: new Map(),
    silence: new SilenceCounts(),
    picture: undefined,
    countedMs: -1,
    countedAt: -1,
  };
  return {
    role: "node-health",
    interest: {
      kinds: new Set(["Node", "Lease", "Policy", "PolicyRevision"]),
      node: undefined,
    },
    follow: ({ key }: Change) => {
      const { kind, name } = parseKey(key);
      if (kind === "Node") hearing.silence.touch(name);
    },
    keysFor: ({ after, before }: Change) => {
      const object = after ?? before;
      if (object?.kind === "Lease") return [nodeKey(object.spec.node)];
      return object?.kind === "Node" ? [object.key] : [];
    },
    allKeys: (view) => [...view.objects.all("Node").keys()],
    reconcile: (key, view, look) => watchNode(key, { view, look, hearing }),
  };
}

function watchNode(key: ObjectKey, scene: Scene): Decision {
  const { view, look, hearing } = scene;
  const node = view.objects.node(key);
  if (node === undefined) return settled;
  const lease = view.objects.lease(leaseKey(node.meta.name));
  // A node whose agent never connected has nothing to lose; a fenced one has nothing left.
  if (lease === undefined || node.status.health === "fenced") return settled;
  const heard = hear(lease, look, hearing);
  const { atMs } = heard;
  const silentMs = look.now - atMs;
  const times = timesFor(node, view);
  const isLate = silentMs >= times.suspectMs;
  if (isLate && !heard.isLate) hearing.nodes.set(node.meta.name, { ...heard, isLate });
  if (isLate) return worsen({ node, lease, atMs, silentMs, times }, scene);
  const damping = liftDamping(node, hearing.dampings, look);
  if (damping !== undefined && damping.kind !== "later") return damping;
  const deadlineMs = Math.min(atMs + times.suspectMs, damping?.atMs ?? Number.POSITIVE_INFINITY);
  return wait({ reason: "not-silent-long-enough", wakes: [], deadlineMs, because: LISTENING });
}

interface Silent {
  readonly node: Node;
  readonly lease: Lease;
  readonly atMs: number;
  readonly silentMs: number;
  readonly times: Times;
}

interface Times {
  readonly suspectMs: number;
  readonly unknownMs: number;
}

/**
 * What the policy in force in its region says; when a node may be fenced is not for a policy to say
 * (PY6).
 */
function timesFor({ spec }: Node, view: View): Times {
  const { health } = defaultRules(view.objects, spec.region);
  return {
    suspectMs: health?.suspectAfterMs ?? SUSPECT_AFTER_MS,
    unknownMs: health?.unknownAfterMs ?? UNKNOWN_AFTER_MS,
  };
}

function worsen({ node, lease, atMs, silentMs, times }: Silent, scene: Scene): Decision {
  const { health, clock } = node.status;
  const fenceMs = clock === undefined ? FENCE_AFTER_MS : SUSPECT_CLOCK_FENCE_MS;
  if (silentMs >= fenceMs) {
    const carriedMs = carriedSilenceMs(node, lease, scene.view.epoch);
    const wholeMs = silentMs + carriedMs;
    const hold = heldBack(node, wholeMs, scene);
    if (hold === undefined) return move(node, lease, "fenced", wholeMs);
    if (health === "unknown") {
      const untoldMs = wholeMs - committedSilenceMs(node, lease);
      return untoldMs >= SILENCE_TOLD_MS
        ? move(node, lease, "unknown", wholeMs)
        : held(hold, atMs - carriedMs, scene.look);
    }
  }
  if (silentMs >= times.unknownMs && health !== "unknown") {
    return move(node, lease, "unknown", silentMs);
  }
  if (health === "ready") return move(node, lease, "suspect", silentMs);
  return wait({
    reason: "not-silent-long-enough",
    wakes: [],
    deadlineMs: atMs + (health === "unknown" ? fenceMs : times.unknownMs),
    because: WAITING_OUT,
  });
}

function held({ level, place, holdMs, silent, watched }: Hold, atMs: number, look: Look): Decision {
  const where = level === "plane" ? "the whole plane" : `${level} ${place}`;
  return wait({
    reason: "correlated-silence",
    wakes: [],
    deadlineMs: Math.min(atMs + holdMs, look.now + HOLD_RECHECK_MS),
    because: {
      summary: `${silent} of ${watched} nodes of ${where} went silent at once; the fault may be the plane's own network`,
    },
  });
}

function hear(lease: Lease, look: Look, { nodes: heard, silence }: Hearing): Heard {
  const { session, seq } = lease.status;
  const known = heard.get(lease.spec.node);
  if (known?.session === session && known.seq === seq) return known;
  // Also the first look after a restart: every node gets its full time again.
  const backMs = known?.isLate === true ? look.now : (known?.backMs ?? Number.NEGATIVE_INFINITY);
  const now = { session, seq, atMs: look.now, backMs, isLate: false };
  heard.set(lease.spec.node, now);
  silence.touch(lease.spec.node);
  return now;
}

/**
 * The hold that the node is under because it is not silent alone; undefined when there is none, or
 * it is over.
 */
function heldBack(node: Node, silentMs: number, scene: Scene): Hold | undefined {
  const hold = pictureOf(scene).holdOn(node);
  return hold !== undefined && silentMs < hold.holdMs ? hold : undefined;
}

/**
 * A node that is heard of later in the turn still counts as silent: that only holds back for
 * longer.
 */
function pictureOf({ view, look, hearing }: Scene): SilencePicture {
  const isCounted = hearing.countedMs === look.now && hearing.countedAt === view.revision;
  if (isCounted && hearing.picture !== undefined) return hearing.picture;
  const picture = hearing.silence.at(look.now, (name): LastHeard | undefined => {
    const node = view.objects.nodeNamed(name);
    const last = hearing.nodes.get(name);
    if (node === undefined || last === undefined) return undefined;
    return node.status.health === "fenced" ? undefined : { node, ...last };
  });
  hearing.picture = picture;
  hearing.countedMs = look.now;
  hearing.countedAt = view.revision;
  return picture;
}

function move(
  node: Node,
  lease: Lease,
  to: "suspect" | "unknown" | "fenced",
  silentMs: number,
): Decision {
  const { session, seq } = lease.status;
  const { name, uid } = node.meta;
  // The same step again only says for how long by now: each such word is an intent of its own.
  const step = to === node.status.health ? `${to}.${Math.floor(silentMs / SILENCE_TOLD_MS)}` : to;
  return propose(
    [
      {
        kind: "transition",
        operation: healthOperation({ node: name, uid, session, seq, to: step }),
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
