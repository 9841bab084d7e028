/**
 * How followers follow the log: news of it comes with a lag, a stalled follower hears nothing for a
 * while, and one that missed compacted commits begins again with a snapshot. Lists as of now wait
 * until the follower has caught up.
 */
import type { AuthorityInput } from "../../core/kernel/component.ts";
import { between, hashText, keyed } from "../../core/kernel/keyed-hash.ts";
import type { PlaneProcess } from "./plane-process.ts";
import type { Sim } from "../sim.ts";
import type { PlaneEventOf } from "../sim-event.ts";
import type { WatchHost } from "./watch-host.ts";

const LAG = hashText("follower-lag");

export class FollowHost {
  private readonly sim: Sim;
  private readonly planes: readonly PlaneProcess[];
  private readonly watch: WatchHost;
  private readonly tell: (plane: PlaneProcess, inputs: readonly AuthorityInput[]) => void;

  constructor(of: {
    sim: Sim;
    planes: readonly PlaneProcess[];
    watch: WatchHost;
    tell: (plane: PlaneProcess, inputs: readonly AuthorityInput[]) => void;
  }) {
    this.sim = of.sim;
    this.planes = of.planes;
    this.watch = of.watch;
    this.tell = of.tell;
  }

  /** The log has grown: its followers hear of it. */
  wakeAll(): void {
    for (const plane of this.planes) this.wake(plane);
  }

  wake(plane: PlaneProcess): void {
    const { hosted } = plane;
    if (!plane.up || hosted.isNewsDue || hosted.standing.leads) return;
    hosted.isNewsDue = true;
    const { sim } = this;
    const draw = keyed(sim.seed, LAG, plane.nameHash, sim.store.commits.length, 0);
    // Mostly a few milliseconds, sometimes long enough for a client to come back first.
    const delay = between(draw, 1, draw % 8 === 0 ? 400 : 15);
    sim.after(delay, { kind: "news", plane, incarnation: plane.incarnation });
  }

  news({ plane }: PlaneEventOf<"news">): void {
    const { sim } = this;
    const { hosted } = plane;
    const { standing } = hosted;
    hosted.isNewsDue = false;
    if (standing.leads || Math.max(hosted.stalledUntilMs, hosted.cutUntilMs) > sim.nowMs) return;
    const after = standing.followsAfter;
    const news = sim.store.newsAfter(after);
    const isNothing = news.snapshot === undefined && news.commits.length === 0;
    if (isNothing && after !== undefined) return;
    const { snapshot } = news;
    if (snapshot !== undefined) {
      sim.trace?.say(plane.name, `begins with a snapshot of revision ${snapshot.revision}`);
      hosted.shownFrom = snapshot.revision;
    }
    this.tell(plane, standing.heard(news, plane.clock.read(sim.nowMs)));
    plane.isLoaded = true;
    this.answerLists(plane);
  }

  /**
   * A list as of now. A plane that may lag asks the store how far the log has come. A leader knows,
   * except for a batch that has landed and that others may have shown before it hears of it.
   */
  list(event: PlaneEventOf<"list-asked">): void {
    const { sim } = this;
    const { plane, client } = event;
    const { hosted } = plane;
    const isForAnyAge = client.staleUntilMs > sim.nowMs;
    if (!plane.up || !plane.isLoaded || isForAnyAge) {
      this.watch.asked(event);
      return;
    }
    const { leads } = hosted.standing;
    // The plane cannot reach the store to ask how far the log has come: the client gives up and
    // asks elsewhere.
    if (!leads && hosted.cutUntilMs > sim.nowMs) return;
    const onItsWay = hosted.unanswered.size > 0 ? hosted.sentTo : 0;
    hosted.lists.push({ event, end: leads ? onItsWay : sim.store.commits.length });
    this.answerLists(plane);
  }

  /** The plane shows more: the lists that waited for it are answered. */
  answerLists(plane: PlaneProcess): void {
    const { lists } = plane.hosted;
    for (const waiting of lists.splice(0)) {
      if (plane.published < waiting.end) lists.push(waiting);
      else this.watch.asked(waiting.event);
    }
  }
}
