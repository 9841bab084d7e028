/**
 * Controllers that live in one process and share one view of the log. Each keeps its own queue,
 * operations and wake-ups; folding every commit once instead of once per controller is what they
 * save. To the host it is one component with one stream, one timer and one series of calls.
 */
import type { Change } from "./protocol/commit-record.ts";
import type { Controller } from "./runner/controller.ts";
import type { ClientEffect, ClientInput, Component } from "./kernel/component.ts";
import type { Turn } from "./protocol/turn.ts";
import type { Kind, ObjectKey } from "./model/ids.ts";
import { type Interest, wants } from "./observe/interest.ts";
import { View } from "./observe/view.ts";
import { type Owed, Runner } from "./runner/runner.ts";
import { TargetBudgets } from "./runner/target-budgets.ts";

/** Another may ask for a list in this time and is given the one that is on its way. */
const LIST_ON_ITS_WAY_MS = 1_000;

export class ControllerGroup implements Component<ClientInput, ClientEffect> {
  readonly name: string;
  readonly view: View;
  readonly members: readonly Runner[];
  private isListed = false;
  private listAskedMs = Number.NEGATIVE_INFINITY;
  private timerMs = Number.POSITIVE_INFINITY;

  constructor(options: {
    readonly name: string;
    readonly controllers: readonly (readonly [name: string, controller: Controller])[];
  }) {
    this.name = options.name;
    const kinds = new Set<Kind>();
    for (const [, { interest }] of options.controllers)
      for (const kind of interest.kinds) kinds.add(kind);
    this.view = new View({ kinds, node: undefined });
    const targets = new TargetBudgets();
    this.members = options.controllers.map(
      ([name, controller]) => new Runner({ name, controller, view: this.view, targets }),
    );
  }

  /**
   * Under the name of the waiting controller: people look for a controller, not for the process it
   * shares.
   */
  owed(): readonly (Owed & { readonly controller: string })[] {
    return this.members.flatMap((member) =>
      member.owed().map((owed) => ({ ...owed, controller: member.name })),
    );
  }

  isTracking(key: ObjectKey): boolean {
    return this.members.some((member) => member.isTracking(key));
  }

  receive(input: ClientInput, turn: Turn): readonly ClientEffect[] {
    const effects: ClientEffect[] = [];
    // Of the members that the timer did not wake.
    let nextMs = Number.POSITIVE_INFINITY;
    switch (input.kind) {
      case "listed": {
        const changes = this.view.replace(input.objects, input.revision, input.epoch);
        if (changes !== undefined) this.isListed = true;
        const shown = new ShownChanges(changes ?? [], this.view);
        this.each(effects, (member) =>
          member.viewReplaced(changes && shown.to(member.interest), turn),
        );
        break;
      }
      case "watch": {
        if (!this.isListed) break;
        const changes = this.view.follow(input.commits, input.to, input.epoch);
        const shown = new ShownChanges(changes, this.view);
        this.each(effects, (member) => member.viewMoved(shown.to(member.interest), turn));
        break;
      }
      case "reply": {
        const at = input.call % this.members.length;
        const member = this.members[at];
        const call = (input.call - at) / this.members.length;
        if (member !== undefined) this.take(effects, at, member.receive({ ...input, call }, turn));
        break;
      }
      case "started":
        this.each(effects, (member) => member.receive(input, turn));
        break;
      case "timer":
        this.timerMs = Number.POSITIVE_INFINITY;
        for (const [at, member] of this.members.entries()) {
          const dueMs = member.passOver(turn);
          if (dueMs === undefined) this.take(effects, at, member.receive(input, turn));
          else if (dueMs < nextMs) nextMs = dueMs;
        }
        break;
    }
    return this.asOne(effects, nextMs, turn);
  }

  private each(into: ClientEffect[], act: (member: Runner) => readonly ClientEffect[]): void {
    for (const [at, member] of this.members.entries()) this.take(into, at, act(member));
  }

  /** Calls are numbered so that an answer finds its way back to its caller. */
  private take(into: ClientEffect[], at: number, effects: readonly ClientEffect[]): void {
    for (const effect of effects) {
      if (effect.kind === "request") {
        into.push({ ...effect, call: effect.call * this.members.length + at });
      } else into.push(effect);
    }
  }

  /** One list is enough for all, and of several timers the first counts. */
  private asOne(
    effects: readonly ClientEffect[],
    nextMs: number,
    turn: Turn,
  ): readonly ClientEffect[] {
    const kept: ClientEffect[] = [];
    let timerMs = nextMs;
    for (const effect of effects) {
      if (effect.kind === "timer") timerMs = Math.min(timerMs, effect.atMs);
      else if (effect.kind !== "list") kept.push(effect);
      else if (turn.now >= this.listAskedMs + LIST_ON_ITS_WAY_MS) {
        this.listAskedMs = turn.now;
        kept.push(effect);
      }
    }
    if (timerMs < this.timerMs) {
      this.timerMs = timerMs;
      kept.push({ kind: "timer", atMs: timerMs });
    }
    return kept;
  }
}

/**
 * The changes of one input as each member is shown them; members with the same interest share a
 * list.
 */
class ShownChanges {
  private readonly all: readonly Change[];
  private readonly view: View;
  private readonly kinds = new Set<Kind | undefined>();
  private isAnyPaid = false;
  private readonly lists = new Map<string, readonly Change[]>();

  constructor(all: readonly Change[], view: View) {
    this.all = all;
    this.view = view;
    for (const { before, after } of all) {
      this.kinds.add((after ?? before)?.kind);
      if (isPaid(after) || isPaid(before)) this.isAnyPaid = true;
    }
  }

  to(interest: Interest): readonly Change[] {
    if (this.all.length === 0) return this.all;
    if (interest.paidOnly === true && this.isNothingFor(interest)) return NOTHING;
    if (interest.onlyWith !== undefined && this.isNowhere(interest.onlyWith)) return NOTHING;
    if (this.isAllFor(interest)) return this.all;
    const name = nameOf(interest);
    let list = this.lists.get(name);
    if (list === undefined) {
      list = this.all.filter((change) => wants(interest, change));
      this.lists.set(name, list);
    }
    return list;
  }

  /** Before these changes, and after them. */
  private isNowhere(kind: Kind): boolean {
    return !this.kinds.has(kind) && this.view.objects.all(kind).size === 0;
  }

  /**
   * Replicas alone, none of which names a budget: what nearly all commits are, on nearly all
   * planes.
   */
  private isNothingFor({ kinds }: Interest): boolean {
    if (this.isAnyPaid) return false;
    for (const kind of this.kinds) {
      if (kind !== "Replica" && (kind === undefined || kinds.has(kind))) return false;
    }
    return true;
  }

  /** Most commits are of replicas alone, which nearly all controllers watch. */
  private isAllFor({ kinds, node, roomsOnly }: Interest): boolean {
    if (node !== undefined || (roomsOnly === true && this.kinds.has("Reservation"))) return false;
    for (const kind of this.kinds) if (kind === undefined || !kinds.has(kind)) return false;
    return true;
  }
}

const NOTHING: readonly Change[] = [];

/**
 * The name outlives the binding, so a component that frees something still has it, or had it before
 * it was confirmed.
 */
const isPaid = (object: Change["after"]): boolean =>
  object?.kind === "Replica" && object.status.budget !== undefined;

const names = new WeakMap<Interest, string>();

function nameOf(interest: Interest): string {
  let name = names.get(interest);
  if (name === undefined) {
    name = `${[...interest.kinds].toSorted().join(" ")} ${interest.roomsOnly ?? false}`;
    names.set(interest, name);
  }
  return name;
}
