/**
 * Priority classes as values of a label. Tenants name classes as they like and Prometheus keeps a
 * series for every value it ever saw, so that only the first few get one of their own.
 */

/**
 * As many as a person tells apart on one chart; a histogram has fifteen series for each of them.
 */
const CLASSES_NAMED = 16;

/** Of replicas that name no class, and of those whose class came too late. */
export const NO_CLASS = "none";
export const OTHER_CLASSES = "other";

export class ClassLabels {
  private readonly named = new Set<string>();

  of(priorityClass: string): string {
    if (priorityClass === "") return NO_CLASS;
    if (this.named.has(priorityClass)) return priorityClass;
    if (this.named.size >= CLASSES_NAMED) return OTHER_CLASSES;
    this.named.add(priorityClass);
    return priorityClass;
  }
}
