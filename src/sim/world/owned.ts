/** Whether a world has objects with owners: only there a controller collects what has lost them. */
import type { World } from "./world.ts";

export const OWNER_COMPONENTS = ["collect-owned"] as const;

export const hasOwners = ({ timeline }: World): boolean =>
  timeline.some(({ action }) => action.do === "set-owners");
