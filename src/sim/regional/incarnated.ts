/** Whether a plane's log says what its host says it is; if not, the host tells it. */
import type { PlaneRole } from "../../core/model/regional/plane.ts";
import { incarnateOperation } from "../../core/regional/link-operations.ts";
import type { LeadingPlane } from "./leading-plane.ts";

const AGAIN_MS = 500;

/** `again` is called when it may be so by then. */
export function incarnated(
  leading: LeadingPlane,
  plane: PlaneRole,
  incarnation: number,
  again: () => void,
): boolean {
  const held = leading.objects.plane?.status.incarnation;
  if (held === incarnation) return true;
  if (leading.isIncarnating) return false;
  leading.isIncarnating = true;
  const intent = {
    kind: "incarnate",
    operation: incarnateOperation(plane, incarnation),
    plane,
    incarnation,
  } as const;
  leading.submit(intent, "region-link", () =>
    leading.later(AGAIN_MS, () => {
      leading.isIncarnating = false;
      again();
    }),
  );
  return false;
}
