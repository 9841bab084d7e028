/**
 * [INV6] Every stage change of a replica and every health change of a node is one of a few moves,
 * each made by one command of one role.
 *
 * It would break if two controllers believed they own the same move, or if a late report of a
 * fenced agent were taken for news. The moves are written down here a second time, as rows that a
 * person can compare with the design; the checker does not ask the model that the authority uses.
 */
import type { Commit } from "../../core/protocol/commit-record.ts";
import type { Role } from "../../core/model/actor.ts";
import type { ObjectKey } from "../../core/model/ids.ts";
import type { Node, NodeHealth, Replica } from "../../core/model/objects.ts";
import type { Stage } from "../../core/model/stage.ts";
import type { Checker, Report, Truth } from "./checker.ts";

interface Move<State extends string> {
  readonly from: readonly (State | "none")[];
  readonly to: readonly State[];
  readonly by: readonly [command: Commit["command"], role: Role];
}

const HOLDING: readonly Stage[] = ["bound", "starting", "ready", "serving", "running", "unknown"];

const REPLICA_MOVES: readonly Move<Stage>[] = [
  // This row comes first because it covers nearly every stage change of a run.
  {
    from: HOLDING,
    to: ["starting", "ready", "serving", "running", "succeeded", "failed", "released"],
    by: ["report", "agent"],
  },
  { from: ["none", "released", "failed"], to: ["admitted"], by: ["admit", "admit"] },
  { from: ["admitted"], to: ["queued"], by: ["transition", "admit"] },
  // Admitted, given quota and queued in one commit.
  { from: ["none", "released", "failed", "admitted"], to: ["queued"], by: ["enqueue", "admit"] },
  { from: ["queued"], to: ["bound"], by: ["bind-all", "place"] },
  { from: ["queued"], to: ["bound"], by: ["bind", "place"] },
  {
    from: ["bound", "starting", "ready", "serving", "running"],
    to: ["unknown"],
    by: ["transition", "node-health"],
  },
  // A person who vouches that a node is gone fences it, and its replicas become unknown.
  {
    from: ["bound", "starting", "ready", "serving", "running"],
    to: ["unknown"],
    by: ["transition", "user"],
  },
  { from: HOLDING, to: ["released"], by: ["release", "release-lost"] },
  // Its node is back without it, and its workload prefers to wait for the node.
  {
    from: ["starting", "ready", "serving", "running", "unknown"],
    to: ["bound"],
    by: ["lease", "agent"],
  },
  // The other replica of its index stays, and this one had no node yet.
  { from: ["admitted", "queued"], to: ["released"], by: ["evict", "release-lost"] },
  { from: HOLDING, to: ["released"], by: ["release", "release-vanished"] },
  { from: HOLDING, to: ["released"], by: ["release", "release-forgotten"] },
  { from: ["admitted", "queued"], to: ["released"], by: ["evict", "admit"] },
  // A queued replica gives its quota back to the entitled tenant.
  { from: ["queued"], to: ["released"], by: ["evict", "reclaim-quota"] },
];

const NODE_MOVES: readonly Move<NodeHealth>[] = [
  { from: ["none"], to: ["unknown"], by: ["put", "user"] },
  // An agent registers the machine it runs on.
  { from: ["none"], to: ["unknown"], by: ["put", "agent"] },
  // A provisioning node, before any agent has spoken for it.
  { from: ["none"], to: ["unknown"], by: ["provision", "provision"] },
  { from: ["unknown", "suspect", "fenced"], to: ["ready"], by: ["lease", "agent"] },
  { from: ["ready"], to: ["suspect"], by: ["transition", "node-health"] },
  { from: ["ready", "suspect"], to: ["unknown"], by: ["transition", "node-health"] },
  { from: ["ready", "suspect", "unknown"], to: ["fenced"], by: ["transition", "node-health"] },
  { from: ["ready", "suspect", "unknown"], to: ["fenced"], by: ["transition", "user"] },
];

interface Seen {
  stage: Stage;
  incarnation: number;
}

interface SeenNode {
  health: NodeHealth;
  session: number;
}

class StagesChecker implements Checker {
  readonly name = "stages";
  readonly ignoresRenewals = true;
  private readonly replicas = new Map<ObjectKey, Seen>();
  private readonly nodes = new Map<ObjectKey, SeenNode>();
  /**
   * Incarnations that an index had under its other name when the two replicas met: the one that
   * stays continues the count.
   */
  private readonly handedOn = new Map<ObjectKey, number>();

  beforeCommit(commit: Commit, _truth: Truth, report: Report): void {
    for (const { key, after } of commit.changes) {
      if (after === undefined) this.removed(key, commit, report);
      else if (after.kind === "Replica") this.seeReplica(after, commit, report);
      else if (after.kind === "Node") this.seeNode(after, commit, report);
    }
  }

  private seeReplica(replica: Replica, commit: Commit, report: Report): void {
    const { key } = replica;
    const { stage, incarnation } = replica.status;
    const was = this.replicas.get(key);
    if (commit.evidence?.kind === "reconciled")
      this.handedOn.set(key, this.incarnationOfIndex(key));
    const isAnew =
      commit.command === "lease" && stage === "bound" && was?.incarnation !== incarnation;
    if (was?.stage === stage) {
      if (was.incarnation !== incarnation && !isAnew) {
        report(
          "INV6",
          `${key} went from incarnation ${was.incarnation} to ${incarnation} while it stayed ${stage}.`,
          key,
        );
      }
      was.incarnation = incarnation;
      return;
    }
    const from = was?.stage ?? "none";
    if (!allowed(REPLICA_MOVES, from, stage, commit)) {
      report("INV6", `${key} went from ${from} to ${stage} by ${byWhom(commit)}.`, key);
    }
    const isNewIncarnation =
      stage === "admitted" || (stage === "queued" && from !== "admitted") || isAnew;
    const due = isNewIncarnation ? this.incarnationOfIndex(key) + 1 : was?.incarnation;
    if (due !== undefined && incarnation !== due) {
      report(
        "INV6",
        `${key} became ${stage} in incarnation ${incarnation}; incarnation ${due} was due.`,
        key,
      );
    }
    if (stage === "unknown" && !nodeFellSilent(replica, commit)) {
      report(
        "INV6",
        `${key} became unknown though ${replica.status.node} did not fall silent with it.`,
        key,
      );
    }
    if (was === undefined) this.replicas.set(key, { stage, incarnation });
    else {
      was.stage = stage;
      was.incarnation = incarnation;
    }
  }

  /** The last incarnation of its index, under either name. */
  private incarnationOfIndex(key: ObjectKey): number {
    const first = key.replace(/\.r$/, "") as ObjectKey;
    const names = [first, `${first}.r` as ObjectKey];
    return Math.max(
      ...names.map((name) => this.replicas.get(name)?.incarnation ?? 0),
      ...names.map((name) => this.handedOn.get(name) ?? 0),
    );
  }

  private seeNode(node: Node, commit: Commit, report: Report): void {
    const { key } = node;
    const { health, session } = node.status;
    const was = this.nodes.get(key);
    if (was !== undefined && session !== was.session) {
      if (session < was.session || commit.command !== "lease" || commit.actor.role !== "agent") {
        report(
          "INV6",
          `${key} went from session ${was.session} to ${session} by ${byWhom(commit)}.`,
          key,
        );
      }
    }
    const from = was?.health ?? "none";
    if (from !== health) {
      if (!allowed(NODE_MOVES, from, health, commit)) {
        report("INV6", `${key} went from ${from} to ${health} by ${byWhom(commit)}.`, key);
      }
      if (
        health === "fenced" &&
        commit.actor.role === "user" &&
        commit.evidence?.kind !== "person"
      ) {
        report(
          "INV6",
          `${key} was fenced by ${commit.actor.name}, who did not vouch for its end.`,
          key,
        );
      }
      if (from === "fenced" && was?.session === session) {
        report(
          "INV6",
          `${key} became ${health} in session ${session}, in which it was fenced.`,
          key,
        );
      }
    }
    this.nodes.set(key, { health, session });
  }

  private removed(key: ObjectKey, commit: Commit, report: Report): void {
    this.nodes.delete(key);
    this.handedOn.delete(key);
    const was = this.replicas.get(key);
    if (was === undefined) return;
    if (was.stage !== "released" && was.stage !== "failed" && was.stage !== "succeeded") {
      report("INV6", `${key} was removed while ${was.stage} by ${byWhom(commit)}.`, key);
    }
    this.replicas.delete(key);
  }
}

function allowed<State extends string>(
  moves: readonly Move<State>[],
  from: State | "none",
  to: State,
  commit: Commit,
): boolean {
  for (const move of moves) {
    const [command, role] = move.by;
    if (command !== commit.command || role !== commit.actor.role) continue;
    if (move.from.includes(from) && move.to.includes(to)) return true;
  }
  return false;
}

/** A replica becomes unknown with its node: the two change in one commit. */
function nodeFellSilent(replica: Replica, commit: Commit): boolean {
  return commit.changes.some(
    ({ after }) =>
      after?.kind === "Node" &&
      after.meta.name === replica.status.node &&
      (after.status.health === "unknown" || after.status.health === "fenced"),
  );
}

const byWhom = ({ command, actor }: Commit): string => `${command} of ${actor.role} ${actor.name}`;

export const createStagesChecker = (): Checker => new StagesChecker();
