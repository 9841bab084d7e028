/**
 * The best of many scores that change one at a time. A complete binary tree of maxima: a change
 * costs one path to the root, the best is read at the root, and among equals the first wins.
 */

/** Lower than every score: the entry takes no part. */
export const OUT = -0x8000_0000;

export class Tournament {
  private readonly leaves: number;
  /** Node 1 is the root, the children of k are 2k and 2k + 1, the leaves come last. */
  private readonly tree: Int32Array;

  constructor(size: number) {
    let leaves = 1;
    while (leaves < size) leaves *= 2;
    this.leaves = leaves;
    this.tree = new Int32Array(2 * leaves).fill(OUT);
  }

  get best(): number {
    return this.tree[1] ?? OUT;
  }

  score(at: number): number {
    return this.tree[this.leaves + at] ?? OUT;
  }

  set(at: number, score: number): void {
    const { tree } = this;
    let node = this.leaves + at;
    if (tree[node] === score) return;
    tree[node] = score;
    while (node > 1) {
      const other = tree[node ^ 1] ?? OUT;
      const mine = tree[node] ?? OUT;
      const higher = mine > other ? mine : other;
      node >>= 1;
      if (tree[node] === higher) return;
      tree[node] = higher;
    }
  }

  /** Writes every leaf at once; cheaper than as many `set`s. */
  fill(score: (at: number) => number, size: number): void {
    const { tree, leaves } = this;
    for (let at = 0; at < size; at += 1) tree[leaves + at] = score(at);
    for (let node = leaves - 1; node > 0; node -= 1) {
      tree[node] = Math.max(tree[2 * node] ?? OUT, tree[2 * node + 1] ?? OUT);
    }
  }

  /** The first entry with the best score, or −1 when all are out. */
  winner(): number {
    const { tree, leaves } = this;
    if (this.best === OUT) return -1;
    let node = 1;
    while (node < leaves) {
      node *= 2;
      if ((tree[node + 1] ?? OUT) > (tree[node] ?? OUT)) node += 1;
    }
    return node - leaves;
  }

  /** Up to `count` entries, best first and the first of equals first. */
  top(count: number): readonly number[] {
    const found: number[] = [];
    const scores: number[] = [];
    for (let at = this.winner(); at >= 0 && found.length < count; at = this.winner()) {
      found.push(at);
      scores.push(this.score(at));
      this.set(at, OUT);
    }
    // Taken out only to see who comes next.
    for (const [index, at] of found.entries()) this.set(at, scores[index] ?? OUT);
    return found;
  }
}
