/**
 * Randomness without a stream: every draw is a hash of a seed and of what the draw is for. Taking
 * one draw away, or asking twice, moves no other draw, so a shrunk run stays the run it was shrunk
 * from.
 */

/** FNV-1a over UTF-16 units: short strings, no tables, the same on every machine. */
export function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  }
  return hash;
}

/** One murmur3 round: order matters, so (a, b) and (b, a) are different keys. */
export function mix(hash: number, value: number): number {
  let k = Math.imul(value, 0xcc9e2d51);
  k = (k << 15) | (k >>> 17);
  const h = hash ^ Math.imul(k, 0x1b873593);
  return (Math.imul((h << 13) | (h >>> 19), 5) + 0xe6546b64) | 0;
}

/** Spreads the last bits over the whole word; the result is unsigned. */
export function finish(hash: number): number {
  let h = hash ^ (hash >>> 16);
  h = Math.imul(h, 0x85ebca6b);
  h ^= h >>> 13;
  h = Math.imul(h, 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

/** An unsigned 32-bit draw that depends on the five numbers alone. */
export function keyed(seed: number, site: number, a: number, b: number, c: number): number {
  return finish(mix(mix(mix(mix(seed, site), a), b), c));
}

/**
 * An integer in [min, max]. The ranges used are far below 2^32, so the modulo bias does not show.
 */
export function between(draw: number, min: number, max: number): number {
  return min + (draw % (max - min + 1));
}
