/** The shape of a kind of turn or of a mark, as it is on the canvas. */
import { TURN_SHAPES, type TurnKind, type TurnShape } from "./draw/turn-shapes.ts";

export interface TurnMarkProps {
  readonly kind: TurnKind;
  /** Of a mark that has a shape of its own. */
  readonly shape?: TurnShape;
}

export function TurnMark({ kind, shape = TURN_SHAPES[kind] }: TurnMarkProps) {
  return (
    <svg
      class={`turn-mark turn-${kind}${shape.isHollow ? " is-hollow" : ""}`}
      viewBox="-1 -1 14 14"
      width="14"
      height="14"
      aria-hidden="true"
    >
      <path d={shape.path} />
      {shape === TURN_SHAPES.violate && (
        <path class="turn-stop" d="M5.2 2.2h1.6v4.8H5.2z M5.2 8.2h1.6v1.6H5.2z" />
      )}
    </svg>
  );
}
