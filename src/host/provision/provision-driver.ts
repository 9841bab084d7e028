/**
 * Carries what the log says about nodes of pools to the provisioners, and their answers into the
 * log. Only the plane that leads asks. It decides nothing: that a node is wanted, for how long it
 * is waited for and what a failure means stands in the log. The next leader asks again under the
 * same keys.
 */
import { setMaxListeners } from "node:events";
import type { Change, Commit } from "../../core/protocol/commit-record.ts";
import { nodeKey } from "../../core/model/ids.ts";
import { isProvisioning, type ProvisionOutcome } from "../../core/model/node/node-pool.ts";
import type { Node } from "../../core/model/objects.ts";
import { provisionedOperation } from "../../core/protocol/operations.ts";
import type { PlanePort } from "../plane-port.ts";
import { ProvisionAsker, type ProvisionAskerOf } from "./provision-asker.ts";
import type { Provisioner, ProvisionRequest } from "./provision-protocol.ts";
import type { ErrandEnd } from "./run-errand.ts";
import { isKept, type WantedAction, wantedAction } from "./wanted-request.ts";

/** Changes without a commit: a pause that is over, a lead that was lost. */
const LOOK_MS = 500;
/** Commits that were leapt over are not told either; all nodes are looked through this often. */
const SCAN_MS = 10_000;
/** Of one provisioner: each may be a process, and who makes machines is seldom faster with more. */
const AT_ONCE = 4;
/** After an answer: its commit is on its way. */
const REST_MS = 1_000;
/** A pool that fails gives up a few an hour; those of long ago are known to their provisioner. */
const RECALLED = 32;
/**
 * A machine that cannot be taken away is tried again later and later, for as long as its node is
 * there.
 */
const DELETE_AGAIN_MS = { first: 10_000, most: 600_000 } as const;

export interface ProvisionDriverOf extends Omit<ProvisionAskerOf, "objects"> {
  readonly plane: Pick<
    PlanePort,
    "objects" | "isLeading" | "epoch" | "since" | "submit" | "onPublish"
  >;
  readonly onNote: (sentence: string) => void;
}

interface Rest {
  readonly untilMs: number;
  readonly failures: number;
}

export class ProvisionDriver {
  private readonly of: ProvisionDriverOf;
  private readonly asker: ProvisionAsker;
  private readonly timer: NodeJS.Timeout;
  private readonly stopListening: () => void;
  /** Names of nodes of pools that something may have to be asked about. */
  private readonly open = new Set<string>();
  private readonly provisioning = new Set<string>();
  /** Provisioning nodes that were given up: their machines may still come. */
  private readonly givenUp = new Map<string, Node>();
  /** Of nodes for which certainly nothing was made. */
  private readonly never = new Set<string>();
  private readonly underWay = new Map<string, Promise<void>>();
  /**
   * How many requests each provisioner has, by its name: one that hangs does not block the others.
   */
  private readonly busy = new Map<string, number>();
  private readonly rests = new Map<string, Rest>();
  /** The leadership that is worked for, and what ends its work. */
  private term: { readonly epoch: number; readonly over: AbortController } | undefined;
  private scannedMs = Number.NEGATIVE_INFINITY;
  private isClosed = false;

  constructor(of: ProvisionDriverOf) {
    this.of = of;
    this.asker = new ProvisionAsker({ ...of, objects: of.plane.objects });
    this.stopListening = of.plane.onPublish((commits) => this.take(commits));
    this.timer = setInterval(() => this.look(), LOOK_MS);
    this.timer.unref();
    this.look();
  }

  /**
   * Ends what is under way, and the machines of those provisioners that keep them in their own
   * process.
   */
  async close(): Promise<void> {
    this.isClosed = true;
    clearInterval(this.timer);
    this.stopListening();
    this.term?.over.abort();
    await Promise.all(this.underWay.values());
    await Promise.all([...this.of.provisioners.values()].map((each) => each.close()));
  }

  private take(commits: readonly Commit[]): void {
    for (const { changes } of commits) for (const change of changes) this.note(change);
    this.look();
  }

  private note({ before, after }: Change): void {
    if (after?.kind === "Node") this.consider(after);
    else if (after === undefined && before?.kind === "Node") {
      this.provisioning.delete(before.meta.name);
      this.rests.delete(before.meta.name);
      const isKnown = this.never.delete(before.meta.uid);
      if (isProvisioning(before) && !isKnown) this.givenUp.set(before.meta.name, before);
    }
    this.of.counts.provisioning = this.provisioning.size;
  }

  private consider(node: Node): void {
    const { name } = node.meta;
    if (isProvisioning(node)) this.provisioning.add(name);
    else this.provisioning.delete(name);
    if (wantedAction(node) !== undefined) this.open.add(name);
  }

  private look(): void {
    if (this.isClosed) return;
    const { isLeading, epoch } = this.of.plane;
    if (this.term !== undefined && (!isLeading || this.term.epoch !== epoch)) this.endTerm();
    if (!isLeading) return;
    if (this.term === undefined) this.beginTerm(epoch);
    if (performance.now() - this.scannedMs >= SCAN_MS) this.scan();
    for (const name of this.open) this.lookAt(name);
    for (const [name, node] of this.givenUp) this.takeAway(name, node);
  }

  private beginTerm(epoch: number): void {
    const over = new AbortController();
    // As many listen as requests are under way, of all provisioners together.
    setMaxListeners(0, over.signal);
    this.term = { epoch, over };
    this.scan();
    this.recallGivenUp();
    const kept = new Map<Provisioner, ProvisionRequest[]>();
    for (const node of this.of.plane.objects.all("Node").values()) {
      const provisioner = this.asker.provisionerOf(node);
      if (provisioner?.goOn === undefined || !isKept(node)) continue;
      const requests = kept.get(provisioner) ?? [];
      requests.push(this.asker.request(node, "create"));
      kept.set(provisioner, requests);
    }
    for (const [provisioner, requests] of kept) provisioner.goOn?.(requests);
  }

  /** The leader before may have ended before it had the machines of these taken away. */
  private recallGivenUp(): void {
    const gone = (this.of.plane.since() ?? []).flatMap(({ changes }) =>
      changes.flatMap(({ before, after }) =>
        after === undefined && before?.kind === "Node" && isProvisioning(before) ? [before] : [],
      ),
    );
    for (const node of gone.slice(-RECALLED)) this.givenUp.set(node.meta.name, node);
  }

  private endTerm(): void {
    this.term?.over.abort();
    this.term = undefined;
    for (const provisioner of this.of.provisioners.values()) provisioner.letGo?.();
    this.rests.clear();
    this.givenUp.clear();
    this.never.clear();
  }

  private scan(): void {
    this.scannedMs = performance.now();
    for (const node of this.of.plane.objects.all("Node").values()) this.consider(node);
    for (const name of this.provisioning) {
      if (this.of.plane.objects.node(nodeKey(name)) === undefined) this.provisioning.delete(name);
    }
    this.of.counts.provisioning = this.provisioning.size;
  }

  private lookAt(name: string): void {
    const node = this.of.plane.objects.node(nodeKey(name));
    const action = node === undefined ? undefined : wantedAction(node);
    if (node === undefined || action === undefined) this.open.delete(name);
    else if (this.isFree(node)) this.begin(node, () => this.see(node, action));
  }

  private takeAway(name: string, node: Node): void {
    if (!this.isFree(node)) return;
    this.givenUp.delete(name);
    this.begin(node, () => this.clear(node));
  }

  private isFree(node: Node): boolean {
    const { name } = node.meta;
    if (this.underWay.has(name) || this.busyWith(node) >= AT_ONCE) return false;
    return (this.rests.get(name)?.untilMs ?? 0) <= performance.now();
  }

  private busyWith(node: Node): number {
    return this.busy.get(this.asker.nameFor(node)) ?? 0;
  }

  private begin(node: Node, work: () => Promise<void>): void {
    const { counts } = this.of;
    const { name } = node.meta;
    const by = this.asker.nameFor(node);
    this.busy.set(by, this.busyWith(node) + 1);
    const done = work().finally(() => {
      this.underWay.delete(name);
      this.busy.set(by, (this.busy.get(by) ?? 1) - 1);
      counts.underWay = this.underWay.size;
      // Not at once: its caller is in the middle of a look.
      setImmediate(() => this.look());
    });
    this.underWay.set(name, done);
    counts.underWay = this.underWay.size;
  }

  /** Asks about a node that is there, and says in the log what became of it. */
  private async see(node: Node, action: WantedAction): Promise<void> {
    const { name, uid } = node.meta;
    const end = await this.ask(node, action, () => {
      const present = this.of.plane.objects.node(nodeKey(name));
      return present?.meta.uid === uid && wantedAction(present) === action;
    });
    if (end.kind === "dropped") return;
    this.tell(node, action, end);
    if (end.kind === "failed" && end.isCertain && action === "create") this.never.add(uid);
    this.rest(name, end.kind === "failed" && action === "delete");
    await this.say(node, outcomeOf(action, end));
  }

  /**
   * Asks that a machine is taken away whose node was given up; the plane does not wait for the
   * answer.
   */
  private async clear(node: Node): Promise<void> {
    const { name } = node.meta;
    // A provisioner goes by names: what has this one now is not to be taken away.
    const isGone = (): boolean => this.of.plane.objects.node(nodeKey(name)) === undefined;
    const end = await this.ask(node, "delete", isGone);
    if (end.kind !== "dropped") this.tell(node, "delete", end);
  }

  private ask(node: Node, action: WantedAction, isWanted: () => boolean): Promise<ErrandEnd> {
    const signal = this.term?.over.signal ?? AbortSignal.abort();
    return this.asker.ask(node, { action, isWanted, signal });
  }

  private rest(name: string, isFailedDelete: boolean): void {
    const failures = isFailedDelete ? (this.rests.get(name)?.failures ?? 0) + 1 : 0;
    const { first, most } = DELETE_AGAIN_MS;
    const pauseMs = failures === 0 ? REST_MS : Math.min(most, first * 2 ** (failures - 1));
    this.rests.set(name, { untilMs: performance.now() + pauseMs, failures });
  }

  private async say(node: Node, outcome: ProvisionOutcome): Promise<void> {
    const known = this.of.plane.objects.node(nodeKey(node.meta.name))?.status.provision?.failed;
    if (typeof outcome === "object" && outcome.failed === known) return;
    const intent = {
      kind: "provisioned",
      operation: provisionedOperation(node, outcome),
      node: node.meta.name,
      outcome,
    } as const;
    // One that does not get through is asked for again, under the same key, and answered as before.
    await this.of.plane
      .submit(intent, { role: "provisioner", name: "provisioner" })
      .catch(() => {});
  }

  private tell({ meta, spec }: Node, action: WantedAction, end: ErrandEnd): void {
    if (end.kind !== "failed") return;
    const what = action === "create" ? "be created" : "be removed";
    this.of.onNote(
      `The machine of ${meta.name} (pool ${spec.pool}) could not ${what}: ${end.reason}.`,
    );
  }
}

function outcomeOf(
  action: WantedAction,
  end: Exclude<ErrandEnd, { kind: "dropped" }>,
): ProvisionOutcome {
  if (end.kind === "failed") return { failed: end.reason };
  return action === "create" ? "asked" : "gone";
}
