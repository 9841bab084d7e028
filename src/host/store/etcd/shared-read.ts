/**
 * One read for all who ask at the same time. Who comes while one is under way waits for the next:
 * the one under way may have been answered before they came, and what they rely on may be newer.
 */
export class SharedRead<T> {
  private readonly read: () => Promise<T>;
  private current: Promise<T> | undefined;
  private next: Promise<T> | undefined;

  constructor(read: () => Promise<T>) {
    this.read = read;
  }

  ask(): Promise<T> {
    if (this.current === undefined) return this.begin();
    this.next ??= this.current.then(
      () => this.begin(),
      () => this.begin(),
    );
    return this.next;
  }

  private begin(): Promise<T> {
    this.next = undefined;
    const current = this.read().finally(() => {
      if (this.current === current) this.current = undefined;
    });
    this.current = current;
    return current;
  }
}
