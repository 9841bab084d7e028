/** The planes an agent may speak to, one at a time. Whoever does not answer is turned away from. */

export class ServerList {
  private readonly urls: readonly URL[];
  private readonly note: (message: string) => void;
  private at = 0;
  /** Those that failed last; said once of each, until it answers again. */
  private readonly troubled = new Set<URL>();

  constructor(urls: readonly URL[], note: (message: string) => void) {
    if (urls.length === 0) throw new Error("An agent needs at least one server.");
    this.urls = urls;
    this.note = note;
  }

  get current(): URL {
    return this.urls[this.at] as URL;
  }

  /** Unless somebody else has turned away from it before. */
  failed(server: URL, reason: string): void {
    if (server === this.current) this.at = (this.at + 1) % this.urls.length;
    if (this.troubled.has(server)) return;
    this.troubled.add(server);
    this.note(`cannot speak to ${server.origin}: ${reason}`);
  }

  answered(server: URL): void {
    if (this.troubled.delete(server)) this.note(`speaks to ${server.origin} again`);
  }
}
