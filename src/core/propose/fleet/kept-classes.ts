/**
 * The ask classes in use; beyond so many the one longest unused is worked out anew when it is
 * wanted again.
 */
import type { AskClass } from "./ask-class.ts";

/** Each takes some bytes per node. */
const CLASSES_KEPT = 512;

export class KeptClasses {
  /** Longest unused first, as far as it matters. */
  private readonly classes = new Map<string, AskClass>();

  get(name: string): AskClass | undefined {
    const known = this.classes.get(name);
    // Who is last in line to be dropped matters only when one is about to be.
    if (known !== undefined && this.classes.size >= CLASSES_KEPT) this.keep(name, known);
    return known;
  }

  keep(name: string, made: AskClass): void {
    this.classes.delete(name);
    this.classes.set(name, made);
    if (this.classes.size <= CLASSES_KEPT) return;
    const oldest = this.classes.keys().next().value;
    if (oldest !== undefined) this.classes.delete(oldest);
  }

  clear(): void {
    this.classes.clear();
  }
}
