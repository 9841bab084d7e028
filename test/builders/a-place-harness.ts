/** A scheduler with all that a plane has in its view, looked at by hand. */
import type { Controller } from "../../src/core/runner/controller.ts";
import type { Decision } from "../../src/core/protocol/decision.ts";
import { KINDS, type ObjectKey } from "../../src/core/model/ids.ts";
import type { AnyObject } from "../../src/core/model/objects.ts";
import type { View } from "../../src/core/observe/view.ts";
import { createPlace } from "../../src/core/propose/place.ts";
import { type Plane, WORKLOAD } from "./a-plane.ts";
import { aLook } from "./a-turn.ts";
import { aView } from "./a-view.ts";

export class PlaceHarness {
  readonly place: Controller = createPlace();
  readonly view: View;

  constructor(plane: Plane) {
    const all = KINDS.flatMap((kind): AnyObject[] => [...plane.ledger.objects.all(kind).values()]);
    this.view = aView(this.place, all, plane.ledger.revision);
    for (const after of all) {
      this.place.follow?.({ key: after.key, before: undefined, after }, this.view);
    }
  }

  look(key: ObjectKey = WORKLOAD, isAhead = false): Decision {
    return this.place.reconcile(key, this.view, { ...aLook(1_000), isAhead });
  }
}
