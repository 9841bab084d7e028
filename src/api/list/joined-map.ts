/** Two maps read as one, as they are at each moment. Where both have a key, the first counts. */
export class JoinedMap<K, V> implements ReadonlyMap<K, V> {
  private readonly first: ReadonlyMap<K, V>;
  private readonly second: ReadonlyMap<K, V>;

  constructor(first: ReadonlyMap<K, V>, second: ReadonlyMap<K, V>) {
    this.first = first;
    this.second = second;
  }

  get size(): number {
    return [...this.keys()].length;
  }

  get(key: K): V | undefined {
    return this.first.get(key) ?? this.second.get(key);
  }

  has(key: K): boolean {
    return this.first.has(key) || this.second.has(key);
  }

  *entries(): MapIterator<[K, V]> {
    yield* this.first.entries();
    for (const entry of this.second) if (!this.first.has(entry[0])) yield entry;
  }

  *keys(): MapIterator<K> {
    for (const [key] of this.entries()) yield key;
  }

  *values(): MapIterator<V> {
    for (const [, value] of this.entries()) yield value;
  }

  [Symbol.iterator](): MapIterator<[K, V]> {
    return this.entries();
  }

  forEach(call: (value: V, key: K, map: ReadonlyMap<K, V>) => void): void {
    for (const [key, value] of this.entries()) call(value, key, this);
  }
}
