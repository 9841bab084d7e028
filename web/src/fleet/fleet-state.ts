/** What the page of the fleet keeps in its address. */
import { queryState } from "../app/query-state.ts";
import { MEASURED, type Measured, type Shown, SHOWN } from "./measure.ts";

export const filter = queryState("filter");
/** `map` or `table`. */
export const view = queryState("show", { fallback: "map", history: "push" });
export const selected = queryState("node", { history: "push" });
/** Of the table. */
export const sort = queryState("sort");
/** Of the map: which resource, and what of it. */
export const resource = queryState("resource", { fallback: "cpu" });
export const part = queryState("part", { fallback: "held" });

/** An address that somebody typed may ask for what there is not; it shows what it would without. */
export const measured = (): Measured => MEASURED.find((name) => name === resource.value) ?? "cpu";
export const shown = (): Shown => SHOWN.find((name) => name === part.value) ?? "held";
