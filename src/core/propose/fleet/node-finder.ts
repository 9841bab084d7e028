/**
 * Finds nodes for replicas on one scheduler's view: keeps the columns in step with the view and
 * with its own proposals, and one ask class for equal requests. `place` decides, `feasibility/`
 * defines what fits, the authority commits.
 */
import { roomOf } from "../../model/reservation.ts";
import type { Change } from "../../protocol/commit-record.ts";
import { preferencePoints } from "../../rules/feasibility/preferences.ts";
import { nodeKey, type ObjectKey, type Revision } from "../../model/ids.ts";
import type { Ask, Node, Replica, Reservation } from "../../model/objects.ts";
import type { Amounts } from "../../model/amounts.ts";
import { roomFor } from "../../observe/held-room.ts";
import { Neighbours } from "../../observe/neighbours.ts";
import { revisionInForce, spreadInForce } from "../../observe/policy-in-force.ts";
import type { View } from "../../observe/view.ts";
import type { ScoringPolicy } from "../policies/scoring-policy.ts";
import { AskClass, type Best, type Question } from "./ask-class.ts";
import { type AssumedBind, AssumedBinds, isAsAssumed, isSameBinding } from "./assumed-binds.ts";
import { AvoidedPlaces } from "./avoided-places.ts";
import { RecoveryBudgetLook } from "./recovery-budget-look.ts";
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
import { keepsApart, SiblingCounts } from "./siblings.ts";
import { Scorings } from "./scorings.ts";
import { spareRoom, type SpareSearch } from "./spare-room.ts";

export interface Found {
  readonly node: string;
  readonly deviceIds: readonly string[];
  readonly score: number;
  /** The parts of the score; rules about single nodes count as scoring. */
  readonly parts: Readonly<Record<string, number>>;
  /** The room of the recovery reserve that it would take. */
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
  private readonly siblings = new SiblingCounts();
  private readonly heldRows: HeldRows;
  private readonly classes = new KeptClasses();
  private readonly names = new ClassNames();
  private shapes = new WeakMap<Ask, AskShape>();
  readonly places = new AvoidedPlaces(() => this.view.objects);
  readonly heldBack = new HeldBack((node) => this.askAnew(node));
  readonly budgets: RecoveryBudgetLook;
  private laid: Fleet | undefined;
  /** The node of each row. */
  private nodes: Node[] = [];
  private guardsSeen = 0;
  /** Why even the owner of a reserved row does not take it. */
  private readonly evenOwner = (row: number): string | undefined =>
    this.heldBack.whyEvenOwner(this.nodes[row]?.meta.name ?? "");

  /** With `fixed` it scores by that policy alone, regardless of the workloads' policies. */
  constructor(view: View, fixed?: ScoringPolicy) {
    this.view = view;
    this.scorings = new Scorings(view.objects, (row) => this.nodes[row]?.spec.region, fixed);
    this.budgets = new RecoveryBudgetLook(view.objects, this.assumed, this.places);
    this.heldRows = new HeldRows(view.objects, (held) => this.assumed.isFor(held));
    this.neighbours = new Neighbours({
      node: (name) => view.objects.node(nodeKey(name)),
      placed: (selector) => placedReplicas(view.objects, this.assumed, selector),
    });
  }

  /** A change that the view has just applied. */
  follow(change: Change): void {
    const kind = (change.after ?? change.before)?.kind;
    if (kind === "Node") this.nodeMoved(change);
    else if (kind === "Replica") this.replicaMoved(change);
    // A quota decides the rules of its tenant's classes, a policy the score and the spread.
    else if (kind === "Quota" || kind === "Policy") {
      this.classes.clear();
      this.scorings.moved();
    } else if (kind === "Override") this.placesMoved();
    this.heldRows.follow(change);
  }

  /** The node for one more of these, or undefined. */
  find(replica: Replica, mode: PlacementMode = IN_TURN): Found | undefined {
    const own = this.heldRows.isEmpty ? undefined : this.ownRoom(replica, mode);
    const paidOwn = this.budgets.paid(replica, own, mode);
    if (paidOwn !== undefined) return paidOwn;
    const asked = this.classFor(replica, mode);
    const best = asked.best(this.question(replica, asked, mode));
    if (best !== undefined) return this.budgets.paid(replica, this.chosen(replica, best), mode);
    if (this.heldRows.isEmpty) return undefined;
    return this.budgets.paidRoom(this.spareSearch(replica, mode), replica, mode);
  }

  /** The room of the recovery reserve that it could take with a budget. */
  unpaidRoom(replica: Replica, mode: PlacementMode): Found | undefined {
    return this.heldRows.isEmpty ? undefined : spareRoom(this.spareSearch(replica, mode), replica);
  }

  /** The room reserved for this replica, free already or not. */
  roomHeld(replica: Replica): Reservation | undefined {
    return this.heldRows.isEmpty ? undefined : roomFor(this.view.objects, replica);
  }

  /** Why reserved room on this node is not taken though it looks free; this soon passes. */
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

  /** Equal for replicas that the same rows are open to. */
  askClass(replica: Replica): object {
    return this.classFor(replica);
  }

  /** Tests for rows whose only obstacle is room, also reserved ones. */
  openRows(replica: Replica, mode: PlacementMode = IN_TURN): (row: number) => boolean {
    return this.classFor(replica, mode).openRows(this.evenOwner, mode.nowMs);
  }

  /** The next best places, for the record of the decision. */
  alternatives(
    replica: Replica,
    count: number,
    mode: PlacementMode = IN_TURN,
  ): readonly { name: string; score: number }[] {
    const { names } = this.fleet();
    const asked = this.classFor(replica, mode);
    return asked
      .top(count, this.question(replica, asked, mode))
      .map(({ row, score }) => ({ name: names[row] ?? "", score }));
  }

  /** How many nodes each rule rejects, with the first node of each. */
  rejected(
    replica: Replica,
    mode: PlacementMode = IN_TURN,
  ): ReadonlyMap<string, { readonly count: number; readonly node: Node }> {
    const found = new Map<string, { count: number; node: Node }>();
    for (const [rule, { count, row }] of this.classFor(replica, mode).rejected(mode.nowMs)) {
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

  /** The proposal for this replica has been answered or given up. */
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

  /** The authority knows of a reason that the view shows only at that revision (RN4). */
  shun(node: string, until: Revision): void {
    this.heldBack.shun(node, until);
  }

  /** Lifts the shuns that the view has caught up with. */
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

  /** Room reserved for the replica comes first: its victims left for it. */
  private ownRoom(replica: Replica, mode: PlacementMode): Found | undefined {
    const held = this.roomHeld(replica);
    const room = held && roomOf(held.spec);
    const row = room && this.fleet().rowOf(room.node);
    if (room === undefined || row === undefined) return undefined;
    if (!this.openRows(replica, mode)(row)) return undefined;
    const { assumed, view } = this;
    const node = this.nodes[row] as Node;
    if (!isOwnRoomFree({ objects: view.objects, assumed, node, replica, room })) return undefined;
    return { node: room.node, deviceIds: room.deviceIds, score: 0, parts: {} };
  }

  /** The recovery reserve comes last: it stays whole while other nodes have room (RV4). */
  private spareSearch(replica: Replica, mode: PlacementMode): SpareSearch {
    const { objects } = this.view;
    const isOpen = (row: number): boolean => this.openRows(replica, mode)(row);
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
    // Earlier shapes lack new kinds of devices.
    this.shapes = new WeakMap();
    this.neighbours.relabelled(placedReplicas(objects, this.assumed));
    this.siblings.forget();
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
      // Still queued in the same incarnation: its proposal is still in flight.
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
      // The most frequent case: the proposal was granted, and the columns already show it.
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
    // Columns that are not laid are read from the view later.
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

  /** The policy revision in force for it on that node; undefined: one without a name. */
  revisionFor({ spec }: Replica, node: string): string | undefined {
    const { objects } = this.view;
    return revisionInForce(objects, spec.template, objects.nodeNamed(node)?.spec.region);
  }

  /** The policy of its score on that node; generation 0 is the built-in one. */
  policyText(replica: Replica, node: string): string {
    return this.scorings.text(replica, this.view.objects.nodeNamed(node)?.spec.region);
  }

  private question(replica: Replica, asked: AskClass, { nowMs }: PlacementMode): Question {
    if (!asked.keepsApart) return { nowMs };
    return { siblings: this.siblings.of(replica, this.neighbours), nowMs };
  }

  private classFor(replica: Replica, mode: PlacementMode = IN_TURN): AskClass {
    const fleet = this.fleet();
    if (this.neighbours.guardsVersion !== this.guardsSeen) {
      // A new anti-affinity may concern any of them.
      this.guardsSeen = this.neighbours.guardsVersion;
      this.classes.clear();
    }
    const apart = keepsApart(replica, this.view.objects);
    const plain = this.names.of(replica, this.neighbours, this.view.objects);
    const name = this.budgets.className(apart ? `${plain} apart` : plain, replica, mode);
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
      keepsApart: apart,
    });
    this.classes.keep(name, made);
    return made;
  }
}
