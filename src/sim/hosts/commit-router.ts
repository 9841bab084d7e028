/**
 * Which watcher wants which commit. Decided once per commit, when it lands: watchers that share
 * their interest share a list, so a lease renewal costs only its one or two watchers.
 */
import { assert } from "../../core/model/assert.ts";
import type { Commit } from "../../core/protocol/commit-record.ts";
import { KINDS, type Kind, parseKey, type Revision } from "../../core/model/ids.ts";
import type { AnyObject } from "../../core/model/objects.ts";
import type { ClientProcess } from "./client-process.ts";

const BIT = Object.fromEntries(KINDS.map((kind, at) => [kind, 1 << at])) as Readonly<
  Record<Kind, number>
>;

export class CommitRouter {
  private readonly watchers: { readonly client: ClientProcess; readonly mask: number }[] = [];
  private readonly agents = new Map<string, ClientProcess>();
  private readonly byMask = new Map<number, readonly ClientProcess[]>();
  /** The watchers of the commit at each revision; the first is that of revision 1. */
  private readonly routes: (readonly ClientProcess[])[] = [];

  register(client: ClientProcess): void {
    const { interest } = client;
    assert(interest !== undefined, `${client.name} was registered without an interest.`);
    if (interest.node !== undefined) this.agents.set(interest.node, client);
    else {
      let mask = 0;
      for (const kind of interest.kinds) mask |= BIT[kind];
      this.watchers.push({ client, mask });
    }
  }

  land(commit: Commit): void {
    const route = this.routeOf(commit);
    this.routes.push(route);
    for (const { stream } of route) {
      if (stream.isOpen) stream.add(commit);
    }
  }

  wanting(revision: Revision): readonly ClientProcess[] {
    return this.routes[revision - 1] ?? [];
  }

  /** The commits after `revision` that this client wants, for a stream that begins there. */
  since(revision: Revision, client: ClientProcess, commits: readonly Commit[]): Commit[] {
    const wanted: Commit[] = [];
    for (let at = revision; at < commits.length; at++) {
      if (this.routes[at]?.includes(client)) wanted.push(commits[at] as Commit);
    }
    return wanted;
  }

  private routeOf(commit: Commit): readonly ClientProcess[] {
    let mask = 0;
    let agents: ClientProcess[] | undefined;
    for (const { key, before, after } of commit.changes) {
      const kind = (after ?? before)?.kind ?? parseKey(key).kind;
      mask |= BIT[kind];
      if (kind !== "Replica") continue;
      agents = this.withAgent(agents, before);
      agents = this.withAgent(agents, after);
    }
    const watchers = this.watchersOf(mask);
    return agents === undefined ? watchers : [...watchers, ...agents];
  }

  private withAgent(
    agents: ClientProcess[] | undefined,
    object: AnyObject | undefined,
  ): ClientProcess[] | undefined {
    const node = object?.kind === "Replica" ? object.status.node : undefined;
    const agent = node === undefined ? undefined : this.agents.get(node);
    if (agent === undefined || agents?.includes(agent)) return agents;
    return agents === undefined ? [agent] : [...agents, agent];
  }

  private watchersOf(mask: number): readonly ClientProcess[] {
    let watchers = this.byMask.get(mask);
    if (watchers === undefined) {
      watchers = this.watchers
        .filter((watcher) => (watcher.mask & mask) !== 0)
        .map(({ client }) => client);
      this.byMask.set(mask, watchers);
    }
    return watchers;
  }
}
