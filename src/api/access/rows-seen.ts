/** The rows of a view that a caller may see, by the objects that its keys name. */
import { type ObjectKey, parseKey } from "../../core/model/ids.ts";
import type { RowsShown } from "../views/rows-shown.ts";
import { VIEW_COLUMNS, type ViewName } from "../views/view-rows.ts";
import type { Sight } from "./sight.ts";
import { withoutOthers } from "../../core/access/without-others.ts";

const GROUP = "group/";

export function rowsSeen(view: ViewName, sight: Sight): RowsShown {
  return {
    sees: (key) => seesRow(view, key, sight),
    row: (_, text) => (text === undefined || sight.isWhole ? text : limited(view, text, sight)),
  };
}

function seesRow(view: ViewName, key: string, sight: Sight): boolean {
  switch (view) {
    case "fleet":
      return sight.sees({ kind: "Node", namespace: "", name: key });
    case "workloads": {
      const [namespace = "", name = ""] = key.split("/");
      return sight.sees({ kind: "Workload", namespace, name });
    }
    case "queue": {
      // Behind the controller that waits; a wait for no object is the plane's own.
      const subject = key.slice(key.indexOf(" ") + 1) as ObjectKey;
      return sight.sees(parseKey(subject));
    }
    case "quota":
      // A group tells how much several tenants use, and which they are.
      if (key.startsWith(GROUP)) return sight.seesAll("Quota");
      return sight.sees({ kind: "Quota", namespace: key, name: "default" });
  }
}

/** The key is the caller's own, as it is; other cells may name the work of others. */
function limited(view: ViewName, text: string, sight: Sight): string {
  const row = JSON.parse(text) as readonly unknown[];
  const [subject] = VIEW_COLUMNS[view]
    .map((name, at) => (name === "subject" ? at : -1))
    .filter((at) => at >= 0);
  const shown = row.map((cell, at) =>
    at === 0 || at === subject ? cell : withoutOthers(cell, sight),
  );
  return JSON.stringify(shown);
}
