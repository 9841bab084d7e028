/**
 * A workload's replicas all carry its template. In memory they share one; written out in full, a
 * thousand of them would be a thousand copies, and as many objects again when they are read. So
 * what is stored names a template once and refers to it by number, and what is read shares it
 * again.
 */
import type { AnyObject, Template } from "../../core/model/objects.ts";

/** An object as it is stored: a replica's template is a number into the table beside it. */
export type StoredObject = AnyObject;

/** The table of one batch or one chunk, while it is written. */
export class TemplateTable {
  private readonly numbers = new Map<Template, number>();

  get templates(): readonly Template[] {
    return [...this.numbers.keys()];
  }

  /** The object with its template replaced by its number. */
  refer(object: AnyObject): StoredObject {
    if (object.kind !== "Replica") return object;
    const { template } = object.spec;
    let number = this.numbers.get(template);
    if (number === undefined) {
      number = this.numbers.size;
      this.numbers.set(template, number);
    }
    return { ...object, spec: { ...object.spec, template: number as never } };
  }
}

/** Gives objects their templates back; one that was read before is not made again. */
export class TemplateReader {
  private readonly known = new Map<string, Template>();

  /**
   * How the objects of one batch or chunk are made whole, by the table that was stored with them.
   * They are changed and must belong to the caller alone.
   */
  restorer(table: readonly Template[] | undefined): (stored: StoredObject) => AnyObject {
    const templates = (table ?? []).map((template) => this.shared(template));
    return (stored) => {
      if (stored.kind !== "Replica") return stored;
      const { template } = stored.spec as { readonly template: Template | number };
      // Logs that were written before templates were shared hold them in full.
      const whole =
        typeof template === "number" ? (templates[template] as Template) : this.shared(template);
      // Just parsed and not shared yet: put in place, because a copy of each would double the
      // garbage of a start.
      (stored.spec as { template: Template }).template = whole;
      return stored;
    };
  }

  private shared(template: Template): Template {
    const text = JSON.stringify(template);
    const known = this.known.get(text);
    if (known !== undefined) return known;
    this.known.set(text, template);
    return template;
  }
}
