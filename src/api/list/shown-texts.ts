/**
 * Objects as the JSON that clients read, put into words once for as long as they look the same.
 * What an object looks like is told by its revision as shown (AP50), so a text of that revision is
 * still right.
 */
import { definitionOf } from "../../core/kinds/kind-definitions.ts";
import type { Revision } from "../../core/model/ids.ts";
import type { AnyObject } from "../../core/model/objects.ts";
import type { ServedKind } from "./served-kind.ts";
import { showObject, type ShowContext } from "./show.ts";

/** kubectl's own pages are not longer. */
const SHORT = 500;
/** So many lists of the longest that are kept have room at once. */
const LISTS = 4;
const USUAL_LENGTH = 1_600;

interface Text {
  readonly revision: Revision;
  readonly json: string;
}

/** What readers of texts need. */
export type Texts = Pick<ShownTexts, "of" | "once" | "known" | "hasRoomFor">;

export class ShownTexts {
  private readonly context: ShowContext;
  private readonly most: number;
  private readonly byKind = new Map<ServedKind, Map<AnyObject, Text>>();
  /** Of all kinds, in order: the first that came goes first. */
  private readonly order = new Map<
    Text,
    { readonly kind: ServedKind; readonly object: AnyObject }
  >();
  /** Of all texts that are kept. */
  length = 0;

  constructor(context: ShowContext, most: number) {
    this.context = context;
    this.most = most;
  }

  of(kind: ServedKind, object: AnyObject): string {
    const revision = this.context.shown.of(object);
    // What is measured for it goes on without a commit.
    if (definitionOf(object.kind).isMeasured === true) return this.once(kind, object);
    const texts = this.byKind.get(kind) ?? new Map<AnyObject, Text>();
    this.byKind.set(kind, texts);
    const known = texts.get(object);
    if (known?.revision === revision) return known.json;
    const json = JSON.stringify(showObject(this.context, kind, object, revision));
    const text = { revision, json };
    if (known !== undefined) this.forget(known);
    texts.set(object, text);
    this.order.set(text, { kind, object });
    this.length += json.length;
    // An object that was written again is another one, and its old text is dead: so age decides.
    for (const [oldest] of this.order) {
      if (this.length <= this.most) break;
      this.forget(oldest);
    }
    return json;
  }

  /** For one reader: the text is not kept. */
  once(kind: ServedKind, object: AnyObject): string {
    const revision = this.context.shown.of(object);
    return JSON.stringify(showObject(this.context, kind, object, revision));
  }

  /** The text of this revision, if it is at hand. */
  known(kind: ServedKind, object: AnyObject, revision: Revision): string | undefined {
    const text = this.byKind.get(kind)?.get(object);
    return text?.revision === revision ? text.json : undefined;
  }

  /**
   * Whether to keep the texts of so many objects for the next reader: a longer list would push out
   * all others, and its own beginning.
   */
  hasRoomFor(objects: number): boolean {
    const mean = this.order.size === 0 ? USUAL_LENGTH : this.length / this.order.size;
    return objects <= SHORT || objects * mean <= this.most / LISTS;
  }

  private forget(text: Text): void {
    const of = this.order.get(text);
    if (of === undefined) return;
    this.order.delete(text);
    this.length -= text.json.length;
    const texts = this.byKind.get(of.kind);
    if (texts?.get(of.object) === text) texts.delete(of.object);
  }
}
