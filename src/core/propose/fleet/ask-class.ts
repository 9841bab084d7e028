/**
 * All replicas that ask for the same, and where they could go. Each row has its score or the reason
 * why it is out; both are kept and only brought up to date for rows that were touched since the
 * last question, so that a decision costs one path through a tree and not a walk over the fleet.
 *
 * Rows are dealt out into cells: the nodes that are alike in every topology the neighbour rules
 * speak of. A rule then forbids or favours whole cells, whose own order does not change by it.
 */
import type { Topology } from "../../model/objects.ts";
import type { Neighbours } from "../../observe/neighbours.ts";
import type { ScoringPolicy } from "../policies/scoring-policy.ts";
import type { AskShape, Fleet } from "./fleet.ts";
import type { NeighbourRule } from "../../rules/obstacles/neighbour-rules.ts";
import { type Cell, dealOut } from "./cells.ts";
import type { NodeChecks } from "./check-nodes.ts";
import { companyInPlace, type Siblings } from "./siblings.ts";
import { hasRoom } from "./room.ts";
import { OUT } from "./tournament.ts";

export interface AskClassOptions {
  readonly fleet: Fleet;
  readonly policy: ScoringPolicy;
  readonly shape: AskShape;
  readonly check: NodeChecks;
  readonly rules: readonly NeighbourRule[];
  /** Whether its questions name siblings, which keep apart by node and zone. */
  readonly keepsApart?: boolean;
}

/** For which replica a row is sought, and when; left out: any siblings, at any time. */
export interface Question {
  readonly siblings?: Siblings | undefined;
  readonly nowMs?: number | undefined;
}

export interface Best {
  readonly row: number;
  readonly score: number;
  /** What of the score the neighbours made. */
  readonly neighbourPoints: number;
}

const NO_ROOM = "capacity";
const FITS = 0;

export class AskClass {
  readonly shape: AskShape;
  /** Whether its questions name siblings. */
  readonly keepsApart: boolean;
  private readonly fleet: Fleet;
  private readonly policy: ScoringPolicy;
  private readonly check: NodeChecks;
  private readonly cellRules: readonly NeighbourRule[];
  private readonly rowRules: readonly NeighbourRule[];
  private readonly cells: readonly Cell[];
  private readonly cellOf: Int32Array;
  private readonly placeInCell: Int32Array;
  private readonly reasons: string[] = ["fits"];
  /** Why each row is out; FITS when it is not. */
  private readonly reason: Uint8Array;
  private readonly counts: number[] = [0];
  /** No row before it has the reason. */
  private readonly firstOf: number[] = [0];
  /**
   * The lasting part, asked again only when the node changed: its reason, its points, as of which
   * version.
   */
  private readonly lasting: Uint8Array;
  private readonly lastingPoints: Int32Array;
  private readonly lastingVersion: Int32Array;
  /** The score of each row that is not out, without its company. */
  private readonly ownScore: Int32Array;
  /** What each rule about single nodes looks at beside the node, as of the last scores. */
  private readonly overall: number[];
  /** Of the replica that was last asked for; the scores are those with them. */
  private siblings: Siblings | undefined;
  private touchesSeen = 0;
  private policySeen = -1;

  constructor(options: AskClassOptions) {
    const { fleet, rules } = options;
    this.fleet = fleet;
    this.policy = options.policy;
    this.shape = options.shape;
    this.keepsApart = options.keepsApart === true;
    this.check = options.check;
    this.cellRules = rules.filter(({ by }) => by !== "node");
    this.rowRules = rules.filter(({ by }) => by === "node");
    this.overall = this.rowRules.map(() => 0);
    this.cellOf = new Int32Array(fleet.size);
    this.placeInCell = new Int32Array(fleet.size);
    this.reason = new Uint8Array(fleet.size);
    this.ownScore = new Int32Array(fleet.size);
    this.lasting = new Uint8Array(fleet.size);
    this.lastingPoints = new Int32Array(fleet.size);
    this.lastingVersion = new Int32Array(fleet.size).fill(-1);
    this.cells = this.dealOut(this.keepsApart ? ["zone"] : []);
  }

  /** The best row for one more of these, or undefined. Equal scores go to the first row. */
  best({ siblings, nowMs }: Question = {}): Best | undefined {
    this.meet(siblings);
    const fewest = this.cellRules.map((rule) => this.fewest(rule));
    let best: Best | undefined;
    for (const cell of this.cells) {
      if (cell.scores.best === OUT || this.forbids(cell, fewest, nowMs) !== undefined) continue;
      const cellPoints = this.cellPoints(cell, fewest);
      const score = cell.scores.best + cellPoints;
      if (best !== undefined && score < best.score) continue;
      const row = cell.rows[cell.scores.winner()] ?? -1;
      if (best === undefined || score > best.score || row < best.row) {
        best = { row, score, neighbourPoints: cellPoints + this.companyOn(row) };
      }
    }
    return best;
  }

  /** The best rows, best first: for the record of a decision, not for deciding. */
  top(count: number, { siblings, nowMs }: Question = {}): readonly Best[] {
    this.meet(siblings);
    const fewest = this.cellRules.map((rule) => this.fewest(rule));
    const found: Best[] = [];
    for (const cell of this.cells) {
      if (this.forbids(cell, fewest, nowMs) !== undefined) continue;
      const cellPoints = this.cellPoints(cell, fewest);
      for (const place of cell.scores.top(count)) {
        const row = cell.rows[place] ?? -1;
        const score = cell.scores.score(place) + cellPoints;
        found.push({ row, score, neighbourPoints: cellPoints + this.companyOn(row) });
      }
    }
    return found.toSorted((a, b) => b.score - a.score || a.row - b.row).slice(0, count);
  }

  /**
   * Whether everything its rules count on is still counted; if not, the class has to be made anew.
   */
  countsOn(neighbours: Neighbours): boolean {
    for (const { counts } of this.cellRules) if (!neighbours.isKept(counts)) return false;
    for (const { counts } of this.rowRules) if (!neighbours.isKept(counts)) return false;
    return true;
  }

  /** Whether anything would fit that is not held back by neighbours. */
  get hasRoomSomewhere(): boolean {
    this.catchUp();
    return (this.counts[FITS] ?? 0) > 0;
  }

  /** Tells the rows from which nothing but a lack of room keeps these away. */
  openRows(
    holdsBack: NodeChecks["holdsBack"] = (row) => this.check.holdsBack(row),
    nowMs?: number,
  ): (row: number) => boolean {
    this.catchUp();
    const fewest = this.cellRules.map((rule) => this.fewest(rule));
    const forbidden = this.cells.map((cell) => this.forbids(cell, fewest, nowMs) !== undefined);
    return (row) => {
      if (this.lasting[row] !== FITS || holdsBack(row) !== undefined) return false;
      if (forbidden[this.cellOf[row] ?? 0] === true) return false;
      if (this.rowRules.length === 0) return true;
      const domain = this.check.domain(row, "node");
      return this.rowRules.every((rule, at) => !rule.forbids(domain, this.overall[at] ?? 0));
    };
  }

  /** How many rows each rule turns away, and the first of them. */
  rejected(nowMs?: number): ReadonlyMap<string, { readonly count: number; readonly row: number }> {
    this.catchUp();
    if (this.cellRules.length === 0) return this.rejectedByRow();
    const rows = new Map<string, { count: number; row: number }>();
    const note = (rule: string, row: number): void => {
      const known = rows.get(rule);
      if (known === undefined) rows.set(rule, { count: 1, row });
      else known.count += 1;
    };
    const fewest = this.cellRules.map((rule) => this.fewest(rule));
    const forbidden = this.cells.map((cell) => this.forbids(cell, fewest, nowMs));
    for (let row = 0; row < this.fleet.size; row += 1) {
      const reason = this.reason[row] ?? FITS;
      const rule = reason === FITS ? forbidden[this.cellOf[row] ?? 0] : this.reasons[reason];
      if (rule !== undefined) note(rule, row);
    }
    return rows;
  }

  /** Where whole places are never turned away, the counts are there already. */
  private rejectedByRow(): ReadonlyMap<string, { readonly count: number; readonly row: number }> {
    const rows: [string, { readonly count: number; readonly row: number }][] = [];
    for (const [reason, count] of this.counts.entries()) {
      const rule = this.reasons[reason];
      if (reason === FITS || count === 0 || rule === undefined) continue;
      let row = this.firstOf[reason] ?? 0;
      while (this.reason[row] !== reason && row < this.fleet.size) row += 1;
      this.firstOf[reason] = row;
      rows.push([rule, { count, row }]);
    }
    return new Map(rows.toSorted(([, a], [, b]) => a.row - b.row));
  }

  private dealOut(alsoBy: readonly Topology[]): readonly Cell[] {
    const spoken = this.cellRules.map(({ by }) => by);
    const topologies = [...new Set([...spoken, ...alsoBy])].toSorted();
    const cells = dealOut(this.fleet.size, topologies, this.check);
    for (const [index, { rows }] of cells.entries()) {
      for (const [place, row] of rows.entries()) {
        this.cellOf[row] = index;
        this.placeInCell[row] = place;
      }
    }
    return cells;
  }

  /** Other siblings move only the rows that have some, before or after. */
  private meet(siblings: Siblings | undefined): void {
    const before = this.siblings;
    this.siblings = siblings;
    this.catchUp();
    if (before?.onNodes === siblings?.onNodes) return;
    for (const name of before?.onNodes.keys() ?? []) {
      if (siblings?.onNodes.has(name) !== true) this.keepCompany(name, undefined);
    }
    for (const [name, count] of siblings?.onNodes ?? []) this.keepCompany(name, count);
  }

  /** Company changes only points: the rest of the row is as of its last touch. */
  private keepCompany(name: string, count: number | undefined): void {
    const row = this.fleet.rowOf(name);
    if (row === undefined || this.reason[row] !== FITS) return;
    this.setScore(row, (this.ownScore[row] ?? 0) + companyInPlace(count));
  }

  private catchUp(): void {
    const { fleet, policy } = this;
    if (policy.version !== this.policySeen || !fleet.remembers(this.touchesSeen)) {
      this.lookAtAll();
      return;
    }
    for (let at = this.touchesSeen; at < fleet.touches; at += 1) this.look(fleet.touchedRow(at));
    this.touchesSeen = fleet.touches;
    if (this.overallMoved()) this.lookAtAll();
  }

  private lookAtAll(): void {
    const isFirst = this.policySeen < 0;
    this.policySeen = this.policy.version;
    this.touchesSeen = this.fleet.touches;
    // Which rows may be used decides which places count, and what all rows look at comes before
    // their scores.
    for (let row = 0; row < this.fleet.size; row += 1) this.askLasting(row);
    this.overallMoved();
    if (isFirst) {
      this.counts[FITS] = this.fleet.size;
      for (const cell of this.cells) cell.fitting = cell.rows.length;
    }
    const scores = new Int32Array(this.fleet.size);
    for (let row = 0; row < this.fleet.size; row += 1) scores[row] = this.checkRow(row);
    for (const cell of this.cells) {
      cell.scores.fill((place) => scores[cell.rows[place] ?? 0] ?? OUT, cell.rows.length);
    }
  }

  private look(row: number): void {
    this.setScore(row, this.checkRow(row));
  }

  private setScore(row: number, score: number): void {
    this.cells[this.cellOf[row] ?? 0]?.scores.set(this.placeInCell[row] ?? 0, score);
  }

  /** The row's score, or OUT with its reason written down. */
  private checkRow(row: number): number {
    this.askLasting(row);
    const passing = this.check.holdsBack(row);
    if (passing !== undefined) return this.out(row, this.reasonOf(passing));
    const lasting = this.lasting[row] ?? FITS;
    if (lasting !== FITS) return this.out(row, lasting);
    if (!hasRoom(this.fleet, row, this.shape)) return this.out(row, this.reasonOf(NO_ROOM));
    let points = this.lastingPoints[row] ?? 0;
    for (const [at, rule] of this.rowRules.entries()) {
      const domain = this.check.domain(row, "node");
      const fewest = this.overall[at] ?? 0;
      if (rule.forbids(domain, fewest)) return this.out(row, this.reasonOf(rule.name));
      points += rule.points(domain, fewest);
    }
    this.out(row, FITS);
    this.ownScore[row] = this.policy.score(this.fleet, row, this.shape) + points;
    return (this.ownScore[row] ?? 0) + this.companyOn(row);
  }

  private companyOn(row: number): number {
    if (this.siblings === undefined) return 0;
    return companyInPlace(this.siblings.onNodes.get(this.check.domain(row, "node") ?? ""));
  }

  private out(row: number, reason: number): number {
    const before = this.reason[row] ?? FITS;
    if (before !== reason) {
      this.reason[row] = reason;
      if (row < (this.firstOf[reason] ?? this.fleet.size)) this.firstOf[reason] = row;
      this.counts[before] = (this.counts[before] ?? 0) - 1;
      this.counts[reason] = (this.counts[reason] ?? 0) + 1;
      const cell = this.cells[this.cellOf[row] ?? 0];
      if (cell !== undefined) {
        if (before === FITS) cell.fitting -= 1;
        else if (reason === FITS) cell.fitting += 1;
      }
    }
    return OUT;
  }

  private askLasting(row: number): void {
    const version = this.fleet.nodeVersion[row] ?? 0;
    if (this.lastingVersion[row] === version) return;
    const isNew = this.lastingVersion[row] === -1;
    this.lastingVersion[row] = version;
    const before = this.lasting[row] ?? FITS;
    const rule = this.check.turnsAway(row);
    const now = rule === undefined ? FITS : this.reasonOf(rule);
    this.lasting[row] = now;
    this.lastingPoints[row] = this.check.points(row);
    const cell = this.cells[this.cellOf[row] ?? 0];
    if (cell === undefined) return;
    if (!isNew && before === FITS) cell.usable -= 1;
    if (now === FITS) cell.usable += 1;
  }

  private reasonOf(rule: string): number {
    const known = this.reasons.indexOf(rule);
    if (known >= 0) return known;
    this.counts.push(0);
    return this.reasons.push(rule) - 1;
  }

  /** How many the emptiest usable place has. */
  private fewest(rule: NeighbourRule): number {
    if (rule.looksAt !== "fewest") return 0;
    let fewest = Number.POSITIVE_INFINITY;
    for (const { domains, usable } of this.cells) {
      const domain = domains.get(rule.by);
      if (usable === 0 || domain === undefined) continue;
      const count = rule.counts.get(domain) ?? 0;
      if (count < fewest) fewest = count;
    }
    return fewest === Number.POSITIVE_INFINITY ? 0 : fewest;
  }

  /** True when something moved that concerns every row, and not only the ones that were touched. */
  private overallMoved(): boolean {
    let moved = false;
    for (const [at, rule] of this.rowRules.entries()) {
      const now = this.overallOf(rule);
      if (now === this.overall[at]) continue;
      this.overall[at] = now;
      moved = true;
    }
    return moved;
  }

  private overallOf(rule: NeighbourRule): number {
    if (rule.looksAt === "fewest") return this.fewestOfNodes(rule);
    return rule.looksAt === "whether-any" && rule.counts.size > 0 ? 1 : 0;
  }

  private fewestOfNodes({ counts }: NeighbourRule): number {
    let usable = 0;
    for (const cell of this.cells) usable += cell.usable;
    // Only places that have some are counted: while there are more nodes than those, one has none.
    if (usable > counts.size) return 0;
    let fewest = Number.POSITIVE_INFINITY;
    for (let row = 0; row < this.fleet.size; row += 1) {
      if (this.lasting[row] !== FITS) continue;
      const count = counts.get(this.check.domain(row, "node") ?? "") ?? 0;
      if (count < fewest) fewest = count;
    }
    return fewest === Number.POSITIVE_INFINITY ? 0 : fewest;
  }

  private forbids(
    cell: Cell,
    fewest: readonly number[],
    nowMs: number | undefined,
  ): string | undefined {
    for (const [at, rule] of this.cellRules.entries()) {
      if (rule.forbids(cell.domains.get(rule.by), fewest[at] ?? 0, nowMs)) return rule.name;
    }
    return undefined;
  }

  private cellPoints(cell: Cell, fewest: readonly number[]): number {
    let points = 0;
    for (const [at, rule] of this.cellRules.entries()) {
      points += rule.points(cell.domains.get(rule.by), fewest[at] ?? 0);
    }
    if (this.siblings === undefined) return points;
    return points + companyInPlace(this.siblings.inZones.get(cell.domains.get("zone") ?? ""));
  }
}
