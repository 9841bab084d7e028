/**
 * A watch of the replicas that are bound: a line each as soon as it is durable. Lines are handed on
 * as text, because taking a million of them apart would cost more than what is measured.
 */
import { get, type IncomingMessage } from "node:http";
import { API_VERSION } from "../../src/api/group-version.ts";

const QUERY = "watch=true&fieldSelector=status.stage%3Dbound";

const REVISION = /"resourceVersion":"(\d+)"/;
/** The last line of a stream that fell too far behind: its reader has to begin anew. */
const ERROR = '{"type":"ERROR"';
const GONE = 410;

export interface ReplicaWatchOptions {
  readonly url: string;
  /** Only those of this tenant; left out: of all. */
  readonly tenant?: string | undefined;
  readonly onLine: (line: string) => void;
  /** The stream cannot go on. */
  readonly onLost: (message: string) => void;
}

export class ReplicaWatch {
  /**
   * How often the plane had to show everything again, because the stream had fallen too far behind.
   */
  relists = 0;
  private readonly options: ReplicaWatchOptions;
  private response: IncomingMessage | undefined;
  private rest = "";
  /** Where to go on from; empty: from everything there is. */
  private revision = "";
  private isClosed = false;

  private constructor(options: ReplicaWatchOptions) {
    this.options = options;
  }

  static async open(options: ReplicaWatchOptions): Promise<ReplicaWatch> {
    const watch = new ReplicaWatch(options);
    await watch.connect();
    return watch;
  }

  close(): void {
    this.isClosed = true;
    this.response?.destroy();
  }

  private async connect(): Promise<void> {
    let response = await this.ask();
    if (response.statusCode === GONE && this.revision !== "") {
      this.startOver();
      response = await this.ask();
    }
    if (response.statusCode !== 200) {
      throw new Error(`The watch of replicas was answered ${response.statusCode}.`);
    }
    this.follow(response);
  }

  private ask(): Promise<IncomingMessage> {
    const { url, tenant } = this.options;
    const from = this.revision === "" ? "" : `&resourceVersion=${this.revision}`;
    const within = tenant === undefined ? "" : `/namespaces/${tenant}`;
    const path = `/apis/${API_VERSION}${within}/replicas?${QUERY}${from}`;
    return new Promise((resolve, reject) => {
      const request = get(`${url}${path}`, { agent: false }, resolve);
      request.once("error", reject);
    });
  }

  private follow(response: IncomingMessage): void {
    this.response = response;
    this.rest = "";
    response.setEncoding("latin1");
    response.on("data", (text: string) => this.take(text));
    response.once("error", () => {
      // Its end follows, and that is where it is gone on from.
    });
    response.once("close", () => {
      if (this.isClosed) return;
      this.connect().catch((error: unknown) => {
        if (!this.isClosed) this.options.onLost(String(error));
      });
    });
  }

  private take(text: string): void {
    const lines = (this.rest + text).split("\n");
    this.rest = lines.pop() ?? "";
    for (const line of lines) {
      if (line.startsWith(ERROR)) this.startOver();
      else {
        this.options.onLine(line);
        this.revision = REVISION.exec(line)?.[1] ?? this.revision;
      }
    }
  }

  /**
   * Lines between the last that came and now are lost; all that is bound will be shown again
   * instead.
   */
  private startOver(): void {
    this.revision = "";
    this.relists += 1;
  }
}
