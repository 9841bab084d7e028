/** What a controller believes, filled by one list. */
import type { Controller } from "../../src/core/runner/controller.ts";
import type { AnyObject } from "../../src/core/model/objects.ts";
import { View } from "../../src/core/observe/view.ts";

export function aView(
  { interest }: Pick<Controller, "interest">,
  objects: readonly AnyObject[],
  revision = 10,
): View {
  const view = new View(interest);
  view.replace(
    objects.filter(({ kind }) => interest.kinds.has(kind)),
    revision,
    1,
  );
  return view;
}
