/**
 * Results for objects that are asked about several times within a moment, as a template is for each
 * of its replicas. They have two generations: the older half goes at once, and no order is kept.
 */
export class RecentResults<Key extends object, Result> {
  private readonly make: (key: Key) => Result;
  private readonly half: number;
  private young = new Map<Key, Result>();
  private old = new Map<Key, Result>();

  constructor(make: (key: Key) => Result, most: number) {
    this.make = make;
    this.half = most / 2;
  }

  get size(): number {
    return this.young.size + this.old.size;
  }

  /** All who ask get the same result, so none may change it. */
  of(key: Key): Result {
    let result = this.young.get(key);
    if (result !== undefined) return result;
    result = this.old.get(key) ?? this.make(key);
    if (this.young.size >= this.half) {
      this.old = this.young;
      this.young = new Map();
    }
    this.young.set(key, result);
    return result;
  }
}
