/**
 * A document while it is being written: names become lanes, and what happens is added in its order.
 */
import type { DecisionRecord } from "../core/protocol/decision.ts";
import { KINDS } from "../core/model/ids.ts";
import type {
  Arrow,
  IncidentDocument,
  IncidentSource,
  Lane,
  LaneKind,
  Mark,
  Shown,
  ShownCommit,
  Turn,
} from "./incident-document.ts";
import { INCIDENT_FORMAT } from "./incident-document.ts";

export type TurnOf = Omit<Turn, "lane">;

/** The order in which lanes are drawn. */
const ORDER: readonly LaneKind[] = ["plane", "controller", "agent", "user", "fault", "checker"];

/** A watch may bring hundreds of operations in one line; its beginning says what it is. */
const MAX_TEXT = 400;

export class IncidentBuilder {
  readonly turns: Turn[] = [];
  readonly arrows: Arrow[] = [];
  readonly commits: ShownCommit[] = [];
  readonly marks: Mark[] = [];
  private readonly lanes: Lane[] = [];
  private readonly laneOf = new Map<string, number>();

  /** The first to speak of a lane says what it is. */
  lane(lane: Lane): number {
    const known = this.laneOf.get(lane.name);
    if (known !== undefined) return known;
    this.laneOf.set(lane.name, this.lanes.length);
    this.lanes.push(lane);
    return this.lanes.length - 1;
  }

  laneNamed(name: string): number | undefined {
    return this.laneOf.get(name);
  }

  /** Its index. */
  add(lane: number, turn: TurnOf): number {
    const { text } = turn;
    const short = text.length <= MAX_TEXT ? text : `${text.slice(0, MAX_TEXT - 1)}…`;
    this.turns.push({ ...turn, text: short, lane });
    return this.turns.length - 1;
  }

  mark(turn: number, kind: Mark["kind"], text: string): void {
    this.marks.push({ turn, kind, text });
  }

  build(of: {
    readonly source: IncidentSource;
    readonly base: readonly Shown[];
    readonly baseRevision: number;
  }): IncidentDocument {
    const { lanes, turns, commits } = this;
    const used = new Set(turns.map(({ lane }) => lane));
    const order = [...used].toSorted((a, b) => rank(lanes[a]) - rank(lanes[b]) || a - b);
    const at = new Map(order.map((lane, index) => [lane, index]));
    return {
      berthIncident: INCIDENT_FORMAT,
      source: of.source,
      lanes: order.flatMap((lane) => lanes[lane] ?? []),
      turns: turns.map((turn) => ({ ...turn, lane: at.get(turn.lane) ?? 0 })),
      arrows: this.arrows.toSorted((a, b) => a.from - b.from),
      base: of.base,
      baseRevision: of.baseRevision,
      commits,
      marks: this.marks.toSorted((a, b) => a.turn - b.turn),
      leftOut: undefined,
    };
  }
}

const rank = (lane: Lane | undefined): number =>
  lane === undefined ? ORDER.length : ORDER.indexOf(lane.kind);

/** Intents may carry whole templates, and a document is read for the why. */
export function shownDecision({ decision, ...record }: DecisionRecord): unknown {
  if (decision.kind !== "propose") return { ...record, decision };
  const intents = decision.intents.map(({ kind, operation }) => ({ kind, operation }));
  return { ...record, decision: { ...decision, intents } };
}

/** Operations are made of keys, so most of what is said names its object. */
const KEY = new RegExp(`\\b(?:${KINDS.join("|")})/[a-z0-9.-]*/[a-z0-9.-]*[a-z0-9]`);

export const keyIn = (text: string): string | undefined => KEY.exec(text)?.[0];
