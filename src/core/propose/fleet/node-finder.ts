/**
 * Finds nodes for replicas on one scheduler's view: keeps the columns in step with the view and with the
 * binds that were asked for, and one ask class for all replicas that ask for the same. Deciding is
 * `place`'s; what counts as fitting is `feasibility/`'s; what becomes true is the authority's.
 */
import type { Change } from "../../protocol/commit-record.ts";
import { preferencePoints } from "../../rules/feasibility/preferences.ts";
import type { ObjectKey, Revision } from "../../model/ids.ts";
import { nodeKey } from "../../model/ids.ts";
import type { Ask, Node, Replica, Reservation } from "../../model/objects.ts";
import type { Amounts } from "../../model/amounts.ts";
import { roomFor } from "../../observe/held-room.ts";
import { Neighbours } from "../../observe/neighbours.ts";
import { revisionInForce, spreadInForce } from "../../observe/policy-in-force.ts";
import type { View } from "../../observe/view.ts";
import type { ScoringPolicy } from "../policies/scoring-policy.ts";
import { AskClass, type Best } from "./ask-class.ts";
import { type AssumedBind, AssumedBinds, isAsAssumed, isSameBinding } from "./assumed-binds.ts";
import { AvoidedPlaces } from "./avoided-places.ts";
import { BudgetLook } from "./budget-look.ts";
import { ClassNames } from "./class-names.ts";
import type { AskShape, Fleet } from "./fleet.ts";
import { keepsLayout, layFleet, resizeOf, shapeOf, UnitKinds } from "./lay-fleet.ts";
import { HeldBack } from "./held-back.ts";
import { HeldRows } from "./held-rows.ts";
import { checkNodes } from "./check-nodes.ts";
import { KeptClasses } from "./kept-classes.ts";
import { neighbourRules } from "../../rules/obstacles/neighbour-rules.ts";
import { isOwnRoomFree } from "./own-room.ts";
import { placedReplicas } from "./placed-replicas.ts";
import { IN_TURN, type PlacementMode } from "./placement-mode.ts";
import { regionRules } from "./region-rule.ts";
import { Scorings } from "./scorings.ts";
import { spareRoom, type SpareSearch } from "./spare-room.ts";

export interface Found {
  readonly node: string;
  readonly deviceIds: readonly string[];
  readonly score: number;
  /** What made it up; rules about single nodes count as part of the scoring. */
  readonly parts: Readonly<Record<string, number>>;
  /** The room kept for its workload that it would take. */
  readonly spare?: ObjectKey;
  /** The name of the recovery budget that pays for it. */
  readonly budget?: string;
}

type Binding = Pick<AssumedBind, "replica" | "node" | "deviceIds">;

export class NodeFinder {
  private readonly view: View;
  private readonly scorings: Scorings;
  private readonly kinds = new UnitKinds();
  private readonly assumed = new AssumedBinds();
  private readonly neighbours: Neighbours;
  private readonly heldRows: HeldRows;
  private readonly classes = new KeptClasses();
  private readonly names = new ClassNames();
  private shapes = new WeakMap<Ask, AskShape>();
  readonly places = new AvoidedPlaces(() => this.view.objects);
  readonly heldBack = new HeldBack((node) => this.askAnew(node));
  readonly budgets: BudgetLook;
  private laid: Fleet | undefined;
  /** The node of each row. */
  private nodes: Node[] = [];
  private guardsSeen = 0;
  /** Why a row is left alone even by the one it is kept for. */
  private readonly evenOwner = (row: number): string | undefined =>
    this.heldBack.whyEvenOwner(this.nodes[row]?.meta.name ?? "");

  /** With a policy of its own it scores by that one alone, whatever workloads name. */
  constructor(view: View, fixed?: ScoringPolicy) {
    this.view = view;
    this.scorings = new Scorings(view.objects, (row) => this.nodes[row]?.spec.region, fixed);
    this.budgets = new BudgetLook(view.objects, this.assumed, this.places);
    this.heldRows = new HeldRows(view.objects, (held) => this.assumed.isFor(held));
    this.neighbours = new Neighbours({
      node: (name) => view.objects.node(nodeKey(name)),
      placed: (selector) => placedReplicas(view.objects, this.assumed, selector),
    });
  }

  /** A change the view has just folded. */
  follow(change: Change): void {
    const kind = (change.after ?? change.before)?.kind;
    if (kind === "Node") this.nodeMoved(change);
    else if (kind === "Replica") this.replicaMoved(change);
    // Whether a tenant's regions are bounded decides which rules its classes have, a policy how they score and spread.
    else if (kind === "Quota" || kind === "Policy") {
      this.classes.clear();
      this.scorings.moved();
    } else if (kind === "Override") this.placesMoved();
    this.heldRows.follow(change);
  }

  /** Where one more of these would go, or undefined. */
  find(replica: Replica, mode: PlacementMode = IN_TURN): Found | undefined {
    const own = this.heldRows.isEmpty ? undefined : this.ownRoom(replica, mode);
    const paidOwn = this.budgets.paid(replica, own, mode);
    if (paidOwn !== undefined) return paidOwn;
    const best = this.classFor(replica, mode).best();
    if (best !== undefined) return this.budgets.paid(replica, this.chosen(replica, best), mode);
    if (this.heldRows.isEmpty) return undefined;
    return this.budgets.paidRoom(this.spareSearch(replica, mode), replica, mode);
  }

  /** The room that is kept for its workload and that it could take, if only something paid for it. */
  unpaidRoom(replica: Replica): Found | undefined {
    return this.heldRows.isEmpty ? undefined : spareRoom(this.spareSearch(replica), replica);
  }

  /** The room that is held for this replica, whether or not it is free already. */
  roomHeld(replica: Replica): Reservation | undefined {
    return this.heldRows.isEmpty ? undefined : roomFor(this.view.objects, replica);
  }

  /** Why room that is held on this node is not taken though it looks free; it passes by itself, and soon. */
  roomHeldBack(node: string): "refused-lately" | "rejected-lately" | "room-promised" | undefined {
    const refused = this.heldBack.whyEvenOwner(node);
    if (refused !== undefined) return refused;
    for (const bind of this.assumed.all()) if (bind.node === node) return "room-promised";
    return undefined;
  }

  /** The columns as of now, for scans of every node. */
  get columns(): Fleet {
    return this.fleet();
  }

  /** The same for all that the same rows are open to. */
  askClass(replica: Replica): object {
    return this.classFor(replica);
  }

  /** Tells the rows from which nothing but a lack of room keeps the replica away, also reserved ones. */
  openRows(replica: Replica): (row: number) => boolean {
    return this.classFor(replica).openRows(this.evenOwner);
  }

  /** The next best places, for the record of the decision. */
  alternatives(
    replica: Replica,
    count: number,
    mode: PlacementMode = IN_TURN,
  ): readonly { name: string; score: number }[] {
    const { names } = this.fleet();
    return this.classFor(replica, mode)
      .top(count)
      .map(({ row, score }) => ({ name: names[row] ?? "", score }));
  }

  /** Which rules turn away how many nodes, with the first node of each. */
  rejected(replica: Replica): ReadonlyMap<string, { readonly count: number; readonly node: Node }> {
    const found = new Map<string, { count: number; node: Node }>();
    for (const [rule, { count, row }] of this.classFor(replica).rejected()) {
      const node = this.nodes[row];
      if (node !== undefined) found.set(rule, { count, node });
    }
    return found;
  }

  assume(replica: Replica, { node, deviceIds, spare, budget }: Found, nowMs: number): void {
    this.forget(replica.key);
    const region = this.view.objects.node(nodeKey(node))?.spec.region ?? "";
    const bind: AssumedBind = { replica, node, region, deviceIds, notedMs: nowMs, spare, budget };
    this.assumed.add(bind);
    this.charge(bind, 1);
    this.heldRows.bindMoved(node);
  }

  /** Whatever was asked for this replica has been answered or given up. */
  forget(key: ObjectKey): void {
    const bind = this.assumed.get(key);
    if (bind === undefined) return;
    this.assumed.remove(key);
    this.charge(bind, -1);
    this.heldRows.bindMoved(bind.node);
  }

  forgetOverdue(nowMs: number): void {
    for (const { replica } of this.assumed.overdue(nowMs)) this.forget(replica.key);
  }

  /** Proposals for the tenant that are not in the view yet. */
  promisedTo(tenant: string): Amounts {
    return this.assumed.sumOf(tenant);
  }

  get hasAssumed(): boolean {
    return !this.assumed.isEmpty;
  }

  /** The authority knows something about this node that the view does not show before that revision (RN4). */
  shun(node: string, until: Revision): void {
    this.heldBack.shun(node, until);
  }

  /** Lifts what the view has caught up with. */
  liftShunned(): void {
    this.heldBack.liftShunned(this.view.revision);
  }

  private placesMoved(): void {
    this.places.changed();
    for (const name of this.laid?.names ?? []) this.askAnew(name);
  }

  private askAnew(node: string): void {
    const row = this.laid?.rowOf(node);
    if (row !== undefined) this.laid?.nodeChanged(row);
  }

  private chosen(replica: Replica, { row, score, neighbourPoints }: Best): Found {
    const fleet = this.fleet();
    const shape = this.shape(replica);
    const units = shape.units === 0 ? [] : this.scorings.of(replica).units(fleet, row, shape);
    const deviceIds = units.map((unit) => fleet.unitIds[unit] ?? "");
    const nodePoints = preferencePoints(this.nodes[row] as Node, replica.spec.template.ask);
    const scoring = score - neighbourPoints - nodePoints;
    const parts = { scoring, node: nodePoints, neighbours: neighbourPoints };
    return { node: fleet.names[row] ?? "", deviceIds, score, parts };
  }

  /** Room held for the replica comes first: others were asked to leave for it. */
  private ownRoom(replica: Replica, mode: PlacementMode): Found | undefined {
    const room = this.roomHeld(replica)?.spec.room;
    const row = room && this.fleet().rowOf(room.node);
    if (room === undefined || row === undefined) return undefined;
    if (!this.classFor(replica, mode).openRows(this.evenOwner)(row)) return undefined;
    const { assumed, view } = this;
    const node = this.nodes[row] as Node;
    if (!isOwnRoomFree({ objects: view.objects, assumed, node, replica, room })) return undefined;
    return { node: room.node, deviceIds: room.deviceIds, score: 0, parts: {} };
  }

  /** What is kept for its workload comes last: while others have room, the reserve stays whole (RV4). */
  private spareSearch(replica: Replica, mode: PlacementMode = IN_TURN): SpareSearch {
    const { objects } = this.view;
    const isOpen = (row: number): boolean =>
      this.classFor(replica, mode).openRows(this.evenOwner)(row);
    return { objects, assumed: this.assumed, fleet: this.fleet(), nodes: this.nodes, isOpen };
  }

  private fleet(): Fleet {
    if (this.laid !== undefined) {
      this.heldRows.settle(this.laid);
      return this.laid;
    }
    const { objects } = this.view;
    const fleet = layFleet(objects.all("Node").values(), (name) => objects.useOf(name), this.kinds);
    this.laid = fleet;
    this.nodes = fleet.names.flatMap((name) => objects.node(nodeKey(name)) ?? []);
    this.classes.clear();
    // Kinds of devices that were not there before are in no shape made before.
    this.shapes = new WeakMap();
    this.neighbours.relabelled(placedReplicas(objects, this.assumed));
    for (const bind of this.assumed.all()) this.takeRoom(bind, 1);
    this.heldRows.laid(fleet.names);
    this.heldRows.settle(fleet);
    return fleet;
  }

  private nodeMoved({ before, after }: Change): void {
    const fleet = this.laid;
    if (fleet === undefined) return;
    const was = before as Node | undefined;
    const is = after as Node | undefined;
    const row = is && fleet.rowOf(is.meta.name);
    if (was === undefined || is === undefined || row === undefined || !keepsLayout(was, is)) {
      this.laid = undefined;
      return;
    }
    this.nodes[row] = is;
    fleet.resize(row, resizeOf(was, is));
    fleet.nodeChanged(row);
  }

  private replicaMoved({ key, before, after }: Change): void {
    const was = before as Replica | undefined;
    const is = after as Replica | undefined;
    if (is !== undefined && was?.status.incarnation !== is.status.incarnation) {
      this.scorings.of(is).arrived(this.shape(is));
    }
    if (isSameBinding(was, is)) {
      // Still queued under the same incarnation: its proposal is still in flight.
      if (is?.status.stage !== "queued") this.forget(key);
      return;
    }
    if (was?.status.node !== undefined) {
      const { node, deviceIds } = was.status;
      this.charge({ replica: was, node, deviceIds }, -1);
    }
    const assumed = this.assumed.get(key);
    const took = is?.status.node;
    if (is !== undefined && took !== undefined) {
      // By far the most frequent: the proposal was granted, and the columns show it already.
      if (assumed !== undefined && isAsAssumed(assumed, is)) {
        this.assumed.remove(key);
        return;
      }
      this.forget(key);
      this.charge({ replica: is, node: took, deviceIds: is.status.deviceIds }, 1);
      return;
    }
    this.forget(key);
  }

  /** A replica took or left a node, or is assumed to. */
  private charge(binding: Binding, sign: 1 | -1): void {
    // Whatever is not laid is read from the view when it is.
    if (this.laid === undefined) return;
    this.neighbours.note(binding.replica, binding.node, sign);
    this.takeRoom(binding, sign);
  }

  private takeRoom({ replica, node, deviceIds }: Binding, sign: 1 | -1): void {
    const fleet = this.laid;
    const row = fleet?.rowOf(node);
    if (fleet === undefined || row === undefined) return;
    const units: number[] = [];
    const end = fleet.unitStart[row + 1] ?? 0;
    for (let unit = fleet.unitStart[row] ?? 0; deviceIds.length > 0 && unit < end; unit += 1) {
      if (deviceIds.includes(fleet.unitIds[unit] ?? "")) units.push(unit);
    }
    fleet.take(row, this.shape(replica), units, sign);
  }

  private shape(replica: Replica): AskShape {
    const { ask } = replica.spec.template;
    let shape = this.shapes.get(ask);
    if (shape === undefined) {
      shape = shapeOf(ask, this.kinds);
      this.shapes.set(ask, shape);
    }
    return shape;
  }

  /** The policy revision that is in force for it on that node; undefined: none that has a name. */
  revisionFor({ spec }: Replica, node: string): string | undefined {
    const { objects } = this.view;
    return revisionInForce(objects, spec.template, objects.nodeNamed(node)?.spec.region);
  }

  /** What it is scored by on that node; generation 0 is what is built in. */
  policyText(replica: Replica, node: string): string {
    return this.scorings.text(replica, this.view.objects.nodeNamed(node)?.spec.region);
  }

  private classFor(replica: Replica, mode: PlacementMode = IN_TURN): AskClass {
    const fleet = this.fleet();
    if (this.neighbours.guardsVersion !== this.guardsSeen) {
      // A new way of keeping others away may concern any of them.
      this.guardsSeen = this.neighbours.guardsVersion;
      this.classes.clear();
    }
    const plain = this.names.of(replica, this.neighbours, this.view.objects);
    const name = this.budgets.className(plain, replica, mode);
    const known = this.classes.get(name);
    if (known?.countsOn(this.neighbours)) return known;
    const made = new AskClass({
      fleet,
      policy: this.scorings.of(replica),
      shape: shapeOf(replica.spec.template.ask, this.kinds),
      check: checkNodes(replica.spec.template.ask, {
        objects: this.view.objects,
        places: this.places,
        keepsOut: (node) => this.budgets.keepsOut(replica, node),
        heldBack: this.heldBack,
        node: (row) => this.nodes[row] as Node,
        name: (row) => fleet.names[row] ?? "",
      }),
      rules: [
        ...neighbourRules(
          replica,
          this.neighbours,
          spreadInForce(this.view.objects, replica.spec.template),
        ),
        ...regionRules(replica, this.view.objects, this.assumed),
        ...this.budgets.rules(replica, mode),
      ],
    });
    this.classes.keep(name, made);
    return made;
  }
}
