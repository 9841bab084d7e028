/**
 * Cuts a stream of text into lines. What comes after the last line break waits for the rest of its
 * line.
 */
export class LineSplitter {
  private begun: string[] = [];

  /** The lines that the text completes, without their breaks and without empty ones. */
  push(text: string): string[] {
    const parts = text.split("\n");
    const last = parts.pop() ?? "";
    if (parts.length === 0) {
      this.begun.push(last);
      return [];
    }
    // Pieces are joined once: a line of a megabyte comes in many, and adding each to one text would
    // copy it each time.
    parts[0] = [...this.begun, parts[0]].join("");
    this.begun = [last];
    return parts.filter((line) => line !== "");
  }
}
