/**
 * Several lines as one piece of bytes. Watchers of the same thing are shown the same lines one
 * after the other, so what was joined for the last of them usually fits the next: a thousand
 * watchers then cost a thousand writes, however many lines each of them is shown.
 */
export class JoinedLines {
  private lines: readonly Buffer[] = [];
  private joined: Buffer = Buffer.alloc(0);

  of(lines: readonly Buffer[]): Buffer {
    const [only] = lines;
    if (lines.length === 1 && only !== undefined) return only;
    if (!this.isLast(lines)) {
      this.lines = lines;
      this.joined = Buffer.concat(lines);
    }
    return this.joined;
  }

  /** Lets go of the bytes when every watcher has been sent them. */
  forget(): void {
    this.lines = [];
    this.joined = Buffer.alloc(0);
  }

  private isLast(lines: readonly Buffer[]): boolean {
    return lines.length === this.lines.length && lines.every((line, at) => line === this.lines[at]);
  }
}
