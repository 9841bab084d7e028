/** Gathers, while a call is under way, what will say how it ended. */
import { constants, type IncomingHttpHeaders, type IncomingHttpStatusHeader } from "node:http2";
import { GrpcFailure } from "./grpc-failure.ts";

export class GrpcOutcome {
  private readonly endpoint: string;
  private why: string | undefined;
  private code: number | undefined;
  private text = "";

  constructor(endpoint: string) {
    this.endpoint = endpoint;
  }

  /** A call that fails early has its status in the first headers already. */
  head(headers: IncomingHttpHeaders & IncomingHttpStatusHeader): void {
    const status = headers[":status"];
    const type = headers["content-type"] ?? "nothing";
    if (status !== 200 || !type.startsWith("application/grpc")) {
      this.lose(`${this.endpoint} is not an etcd: it answered HTTP ${status} with ${type}`);
      return;
    }
    this.status(headers);
  }

  status(headers: IncomingHttpHeaders): void {
    const code = headers["grpc-status"];
    if (code === undefined) return;
    this.code = Number(code);
    this.text = decodePercents(String(headers["grpc-message"] ?? ""));
  }

  /** The first reason counts: what comes after is its consequence. */
  lose(why: string): void {
    this.why ??= why;
  }

  /** Once the stream is closed; undefined when all went well. */
  failure(resetCode: number | undefined, whyLost: string): GrpcFailure | undefined {
    if (this.code === 0) return undefined;
    if (this.code !== undefined) return new GrpcFailure("status", this.text, this.code);
    const why = this.why ?? whyLost;
    // HTTP/2 promises that a refused stream was not looked at; so also those that a GOAWAY leaves
    // out.
    const isRefused = resetCode === constants.NGHTTP2_REFUSED_STREAM;
    return new GrpcFailure(isRefused ? "unsent" : "lost", why);
  }
}

function decodePercents(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
