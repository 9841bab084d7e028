/**
 * The name of an unnamed override. Pure: `berth override create` and the dashboard give the same.
 */
import { type OverrideTarget, TARGET_FIELDS } from "../core/model/override.ts";

/** e.g. "avoid-zone-eu-west-a": who makes the same twice is told that it is there already. */
export const overrideName = (action: string, target: OverrideTarget): string =>
  [action, ...TARGET_FIELDS.flatMap((field) => target[field] ?? [])].join("-");
