/** Gathers the text of a stream that somebody else writes, up to a bound. */
import type { Readable } from "node:stream";

export class BoundedText {
  private readonly parts: Buffer[] = [];
  private bytes = 0;
  private readonly most: number;
  private readonly keeps: "beginning" | "end";
  private tellTooMuch: (() => void) | undefined;

  constructor(
    stream: Readable,
    of: { readonly most: number; readonly keeps?: "beginning" | "end" },
  ) {
    this.most = of.most;
    this.keeps = of.keeps ?? "beginning";
    stream.on("data", (part: Buffer) => this.take(part));
    // Its end or its exit code tells the reader; a broken pipe says nothing more.
    stream.on("error", () => {});
  }

  /** More came than the bound allows. */
  get isTooMuch(): boolean {
    return this.bytes > this.most;
  }

  onTooMuch(tell: () => void): void {
    this.tellTooMuch = tell;
    if (this.isTooMuch) tell();
  }

  get text(): string {
    return Buffer.concat(this.parts).toString("utf8");
  }

  private take(part: Buffer): void {
    const room = this.most - this.bytes;
    this.bytes += part.length;
    if (this.keeps === "end") this.takeEnd(part);
    else if (room > 0) this.parts.push(part.subarray(0, room));
    if (this.isTooMuch) this.tellTooMuch?.();
  }

  private takeEnd(part: Buffer): void {
    const all = Buffer.concat([...this.parts, part]);
    this.parts.length = 0;
    this.parts.push(all.subarray(Math.max(0, all.length - this.most)));
  }
}
