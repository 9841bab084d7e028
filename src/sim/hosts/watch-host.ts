/**
 * Lists and watches, as hosts serve them: a client asks for a list over the link, the stream goes
 * on from its revision, and a client whose plane is gone moves to another with its cursor.
 */
import type { ClientProcess } from "./client-process.ts";
import { between, hashText, keyed } from "../../core/kernel/keyed-hash.ts";
import { listObjects } from "../../core/observe/list-objects.ts";
import type { ObjectIndex } from "../../core/observe/object-index.ts";
import { PastState } from "./past-state.ts";
import type { PlaneProcess } from "./plane-process.ts";
import { shaken, shakenCommits } from "../faults/shake-order.ts";
import type { Sim } from "../sim.ts";
import type { ClientEvent, PlaneEvent } from "../sim-event.ts";
import type { ClientInput } from "../../core/kernel/component.ts";
import type { Revision } from "../../core/model/ids.ts";

const DELIVERY = hashText("watch-latency");
const LIST_OUT = hashText("list-request-latency");
const LIST_BACK = hashText("list-reply-latency");

/**
 * A plane that does not serve rejects at once; the client asks again after this time, which keeps
 * the load off the plane.
 */
const LIST_AGAIN_MS = 250;
/** After this long without an answer the client tries another plane, if there is one. */
export const PATIENCE_MS = 3_000;

type EventOf<E, K> = Extract<E, { readonly kind: K }>;

export class WatchHost {
  private readonly sim: Sim;
  private readonly planes: readonly PlaneProcess[];
  private readonly past: PastState;

  constructor(sim: Sim, planes: readonly PlaneProcess[]) {
    this.sim = sim;
    this.planes = planes;
    this.past = new PastState(sim.store.commits);
  }

  /** Ends the stream and asks for a list; the stream begins again where the list ends. */
  ask(client: ClientProcess): void {
    const { sim } = this;
    client.stream.close();
    client.lists++;
    client.listingSinceMs = sim.nowMs;
    if (!client.plane.up) this.reattach(client);
    const { plane, incarnation, lists: list } = client;
    sim.checks.listAsked(client.name);
    if (sim.partitions.isCut(client, plane, sim.nowMs)) return;
    const delay = between(keyed(sim.seed, LIST_OUT, client.nameHash, list, 0), 1, 10);
    sim.after(delay, { kind: "list-asked", plane, client, incarnation, list });
  }

  /** How long the next list of the client is on its way, both ways together. */
  listDelayMs({ nameHash, lists }: ClientProcess): number {
    const { seed } = this.sim;
    const outMs = between(keyed(seed, LIST_OUT, nameHash, lists, 0), 1, 10);
    return outMs + between(keyed(seed, LIST_BACK, nameHash, lists, 0), 1, 10);
  }

  asked({ plane, client, incarnation, list }: EventOf<PlaneEvent, "list-asked">): void {
    const { sim } = this;
    if (client.lists !== list || client.incarnation !== incarnation) return;
    if (!plane.up || !plane.isLoaded) {
      sim.after(LIST_AGAIN_MS, { kind: "list-again", client, incarnation, list });
      return;
    }
    if (sim.partitions.isCut(plane, client, sim.nowMs) || client.interest === undefined) return;
    const behind = client.staleUntilMs > sim.nowMs ? client.staleBehind : 0;
    const revision = Math.max(0, plane.published - behind);
    let objects = listObjects(this.shownBy(plane, revision), client.interest);
    if (client.blindness !== undefined) objects = client.blindness.ofObjects(objects);
    if (sim.options.shakeOrder === true)
      objects = shaken(objects, sim.seed, client.nameHash + list);
    const input = { kind: "listed", objects, revision, epoch: plane.epoch } as const;
    const delay = between(keyed(sim.seed, LIST_BACK, client.nameHash, list, 0), 1, 10);
    const isOfAnyAge = behind > 0;
    sim.after(delay, { kind: "listed", client, incarnation, list, input, isOfAnyAge });
  }

  /** All objects as the plane shows them at this revision; valid until the next call. */
  shownBy(plane: PlaneProcess, revision: Revision): ObjectIndex {
    const followed = plane.followedAt(revision);
    if (followed !== undefined) return followed;
    const { store, truth } = this.sim;
    return revision === store.commits.length ? truth.objects : this.past.at(revision);
  }

  /**
   * Whether the answer is still awaited; if so the stream begins, and the caller delivers the list.
   */
  accept({
    client,
    incarnation,
    list,
    input,
    isOfAnyAge,
  }: EventOf<ClientEvent, "listed">): boolean {
    if (!client.up || client.incarnation !== incarnation || client.lists !== list) return false;
    const { sim } = this;
    if (!isOfAnyAge) sim.checks.listed(client.name, input.revision);
    client.listingSinceMs = -1;
    const waiting = sim.router.since(input.revision, client, sim.store.commits);
    client.stream.open(input.revision, waiting);
    this.kick(client);
    return true;
  }

  askAgain({ client, incarnation, list }: EventOf<ClientEvent, "list-again">): void {
    if (!client.up || client.incarnation !== incarnation || client.lists !== list) return;
    if (!client.plane.up || !client.plane.isLoaded) this.reattach(client);
    this.ask(client);
  }

  /** The plane shows more: its watchers get a delivery if any of it concerns them. */
  publish(plane: PlaneProcess, to: Revision): void {
    for (let revision = plane.published + 1; revision <= to; revision++) {
      for (const client of this.sim.router.wanting(revision)) {
        if (client.plane === plane) this.schedule(client, revision);
      }
    }
    if (to > plane.published) plane.published = to;
    this.sim.onShown?.(plane, to);
  }

  /** The next delivery to the client, if there is one. */
  next(client: ClientProcess, incarnation: number): EventOf<ClientInput, "watch"> | undefined {
    if (!client.up || client.incarnation !== incarnation) return undefined;
    const { sim } = this;
    const { stream, plane } = client;
    stream.isScheduled = false;
    if (!stream.isOpen || !plane.serves || plane.published <= stream.cursor) return undefined;
    if (stream.cursor < plane.hosted.shownFrom) {
      sim.trace?.say(client.name, `lists again: ${plane.name} does not know what it missed`);
      this.ask(client);
      return undefined;
    }
    if (client.stalledUntilMs > sim.nowMs || client.droppingUntilMs > sim.nowMs) return undefined;
    if (sim.partitions.isCut(plane, client, sim.nowMs)) return undefined;
    const to = plane.published;
    let commits = stream.take(to);
    if (client.blindness !== undefined) commits = client.blindness.ofCommits(commits);
    if (sim.options.shakeOrder === true)
      commits = shakenCommits(commits, sim.seed, client.nameHash);
    return { kind: "watch", commits, to, epoch: plane.epoch };
  }

  /** A drop is over: the events published meanwhile are skipped silently. */
  endDrop(client: ClientProcess): void {
    client.droppingUntilMs = 0;
    this.sim.witness?.strays(client);
    const { stream, plane } = client;
    if (stream.isOpen && plane.published > stream.cursor) stream.take(plane.published);
  }

  /** Schedules a delivery if an event of interest waits; harmless at any time. */
  kick(client: ClientProcess): void {
    const { stream, plane } = client;
    if (stream.isOpen && stream.hasUpTo(plane.published)) this.schedule(client, plane.published);
  }

  /** Tells a stream without events how far the log has come. */
  bookmark(client: ClientProcess): void {
    const { stream, plane, rest } = client;
    if (rest?.epoch === plane.epoch) rest.asOf = plane.published;
    else if (stream.isOpen && plane.published > stream.cursor) {
      this.schedule(client, plane.published);
    }
  }

  private schedule(client: ClientProcess, revision: Revision): void {
    const { sim } = this;
    const { stream, incarnation } = client;
    if (stream.isScheduled || !stream.isOpen) return;
    stream.isScheduled = true;
    const delay = between(keyed(sim.seed, DELIVERY, client.nameHash, revision, 0), 1, 8);
    sim.after(delay, { kind: "deliver", client, incarnation });
  }

  /** Moves to another plane that is up, if there is one. */
  reattach(client: ClientProcess): void {
    const { planes } = this;
    const at = planes.indexOf(client.plane);
    const other = [...planes.slice(at + 1), ...planes.slice(0, at)].find(({ up }) => up);
    client.waitingSinceMs = -1;
    if (other === undefined) return;
    client.plane = other;
    this.kick(client);
  }

  /**
   * Once a second: clients whose plane is gone or silent move, and lists that never came are asked
   * for again.
   */
  look(client: ClientProcess): void {
    if (!client.up || client.machine?.state === "paused") return;
    const { nowMs } = this.sim;
    const isSilent = client.waitingSinceMs >= 0 && nowMs - client.waitingSinceMs >= PATIENCE_MS;
    if (!client.plane.up || isSilent) this.reattach(client);
    if (client.listingSinceMs >= 0 && nowMs - client.listingSinceMs >= PATIENCE_MS) {
      this.reattach(client);
      this.ask(client);
    }
  }
}
