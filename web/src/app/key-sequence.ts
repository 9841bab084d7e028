/** Recognises keys that are pressed one after the other, such as `g f`. */

/** Slow fingers are no reason to begin again; a forgotten beginning is. */
const PATIENCE_MS = 1_500;

export class KeySequence {
  private begun: readonly string[] = [];
  private lastMs = 0;

  /** The binding that the key completes. A key that continues none of them begins anew. */
  press(key: string, nowMs: number, bindings: readonly string[]): string | undefined {
    const before = nowMs - this.lastMs <= PATIENCE_MS ? this.begun : [];
    this.lastMs = nowMs;
    for (const pressed of [[...before, key], [key]]) {
      const text = pressed.join(" ");
      if (bindings.includes(text)) {
        this.begun = [];
        return text;
      }
      if (bindings.some((binding) => binding.startsWith(`${text} `))) {
        this.begun = pressed;
        return undefined;
      }
    }
    this.begun = [];
    return undefined;
  }
}
