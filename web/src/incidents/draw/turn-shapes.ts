/**
 * One shape for each kind of turn, so that colour is never the only sign. The same outlines are
 * drawn on the canvas, in the list and in the legend. They stand in a box of 12 by 12.
 */
import type { Mark, Turn } from "../../../../src/incident/incident-document.ts";

export type TurnKind = Turn["what"];

export interface TurnShape {
  readonly path: string;
  /** Only its outline is drawn. */
  readonly isHollow: boolean;
  /** Beside a plain one; what matters more is larger. */
  readonly scale: number;
  /** In the legend. */
  readonly name: string;
}

const shape = (path: string, name: string, more?: Partial<TurnShape>): TurnShape => ({
  path,
  name,
  isHollow: false,
  scale: 1,
  ...more,
});

export const TURN_SHAPES: Readonly<Record<TurnKind, TurnShape>> = {
  start: shape("M3 1.5 L10.5 6 L3 10.5 Z", "starts"),
  see: shape("M6 2.2 A3.8 3.8 0 1 1 5.99 2.2 Z", "sees", { isHollow: true, scale: 0.9 }),
  decide: shape("M6 0.8 L11.2 6 L6 11.2 L0.8 6 Z", "decides"),
  send: shape("M1 3 L11 6 L1 9 L3.4 6 Z", "sends"),
  commit: shape("M1.8 1.8 H10.2 V10.2 H1.8 Z", "commits", { scale: 1.05 }),
  refuse: shape(
    "M2.4 0.9 L6 4.5 L9.6 0.9 L11.1 2.4 L7.5 6 L11.1 9.6 L9.6 11.1 L6 7.5 L2.4 11.1 L0.9 9.6 L4.5 6 L0.9 2.4 Z",
    "refuses",
  ),
  fault: shape("M7.2 0.4 L1.8 6.9 H5.3 L4.6 11.6 L10.2 4.9 H6.6 Z", "fault", { scale: 1.35 }),
  violate: shape("M3.6 0.4 H8.4 L11.6 3.6 V8.4 L8.4 11.6 H3.6 L0.4 8.4 V3.6 Z", "violates a rule", {
    scale: 1.5,
  }),
  other: shape("M6 3.8 A2.2 2.2 0 1 1 5.99 3.8 Z", "other"),
};

export const TURN_KINDS: readonly TurnKind[] = [
  "start",
  "see",
  "decide",
  "send",
  "commit",
  "refuse",
  "fault",
  "violate",
  "other",
];

/** The shape that a mark has on the overview. */
export const MARK_SHAPES: Readonly<Record<Mark["kind"], TurnShape>> = {
  violation: TURN_SHAPES.violate,
  fault: TURN_SHAPES.fault,
  divergence: shape(
    "M1 4 H11 V5.4 H1 Z M1 7 H11 V8.4 H1 Z M8.4 1 L9.6 1.8 L3.6 11 L2.4 10.2 Z",
    "differs",
  ),
  point: shape(
    "M5 0.5 H7 V7 L9.4 4.6 L10.8 6 L6 10.8 L1.2 6 L2.6 4.6 L5 7 Z M1 10.8 H11 V12 H1 Z",
    "point",
    {
      scale: 1.3,
    },
  ),
  lead: shape("M2 0.8 H3.4 V1.6 H10.6 L8.6 4.4 L10.6 7.2 H3.4 V11.4 H2 Z", "leader changed"),
};

export const MARK_NAMES: Readonly<Record<Mark["kind"], string>> = {
  violation: "rule violated",
  fault: "fault",
  divergence: "differs from the recording",
  point: "point of no return",
  lead: "change of leader",
};
