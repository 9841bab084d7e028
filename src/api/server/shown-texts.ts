/**
 * Objects as the JSON that clients read, put into words once for as long as they look the same. What an object
 * looks like is told by its revision as shown (AP50), so a text of that revision is still right.
 */
import type { Revision } from "../../core/model/ids.ts";
import type { AnyObject } from "../../core/model/objects.ts";
import type { ServedKind } from "./served-kind.ts";
import { showObject, type ShowContext } from "./show.ts";

/** Of each kind: at about one and a half kilobytes each, some twenty-five megabytes of what is read over and over. */
const TEXTS_KEPT = 16_384;

/** What is shown of them rests on more than their own commits. */
const UNCOMMITTED: ReadonlySet<string> = new Set([
  "Slo",
  "Override",
  "Budget",
  "Autoscaler",
  "NodePool",
]);

interface Text {
  readonly revision: Revision;
  readonly json: string;
}

export class ShownTexts {
  private readonly context: ShowContext;
  private readonly byKind = new Map<ServedKind, Map<AnyObject, Text>>();

  constructor(context: ShowContext) {
    this.context = context;
  }

  of(kind: ServedKind, object: AnyObject): string {
    const revision = this.context.shown.of(object);
    // What is measured for it goes on without a commit.
    if (UNCOMMITTED.has(object.kind)) {
      return JSON.stringify(showObject(this.context, kind, object, revision));
    }
    const texts = this.byKind.get(kind) ?? new Map<AnyObject, Text>();
    this.byKind.set(kind, texts);
    const known = texts.get(object);
    if (known?.revision === revision) return known.json;
    const json = JSON.stringify(showObject(this.context, kind, object, revision));
    texts.set(object, { revision, json });
    if (texts.size > TEXTS_KEPT) {
      // The first that came goes first: an object that was written again is another, and its old text is dead.
      const [oldest] = texts.keys();
      if (oldest !== undefined) texts.delete(oldest);
    }
    return json;
  }
}
