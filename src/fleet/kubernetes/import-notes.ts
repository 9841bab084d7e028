/**
 * What an import could not carry over as it is, with how often it occurs and what that means for
 * an answer. Nothing is left out without such a note.
 */
export interface ImportNote {
  /** What stands in the dump, such as "pods that use a host port". */
  readonly what: string;
  /** What it is taken for, and how an answer may differ. */
  readonly effect: string;
  readonly count: number;
  /** The first few, by name. */
  readonly examples: readonly string[];
}

const EXAMPLES = 3;

export class ImportNotes {
  private readonly byWhat = new Map<
    string,
    { effect: string; count: number; examples: string[] }
  >();

  add(what: string, effect: string, example: string): void {
    let note = this.byWhat.get(what);
    if (note === undefined) {
      note = { effect, count: 0, examples: [] };
      this.byWhat.set(what, note);
    }
    note.count += 1;
    if (note.examples.length < EXAMPLES) note.examples.push(example);
  }

  /** The most frequent first. */
  all(): readonly ImportNote[] {
    return [...this.byWhat]
      .map(([what, note]) => ({ what, ...note }))
      .toSorted((a, b) => b.count - a.count || (a.what < b.what ? -1 : 1));
  }
}
