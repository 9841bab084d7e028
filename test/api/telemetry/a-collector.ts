/** A collector of traces on a real socket: it takes what OTLP/HTTP sends as JSON, or says what the test wants it to. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { SpanAttributes } from "../../../src/host/telemetry/trace/span.ts";

export interface TakenSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | undefined;
  readonly name: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly attributes: SpanAttributes;
  /** service.instance.id */
  readonly from: string;
}

interface Value {
  readonly stringValue?: string;
  readonly intValue?: string;
}
interface Attribute {
  readonly key: string;
  readonly value: Value;
}
interface SentSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly Attribute[];
}
interface Sent {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] };
    readonly scopeSpans: readonly { readonly spans: readonly SentSpan[] }[];
  }[];
}

export class Collector {
  readonly spans: TakenSpan[] = [];
  readonly headers: IncomingMessage["headers"][] = [];
  /** What it answers next; 200 once there is nothing left. "never": the request is left open. */
  readonly answers: (number | "never")[] = [];
  url = "";
  private readonly server = createServer((request, response) => {
    void this.answer(request, response);
  });

  async open(): Promise<this> {
    this.server.listen(0, "127.0.0.1");
    await once(this.server, "listening");
    const { port } = this.server.address() as AddressInfo;
    this.url = `http://127.0.0.1:${port}/v1/traces`;
    return this;
  }

  async close(): Promise<void> {
    this.server.close();
    this.server.closeAllConnections();
    await once(this.server, "close");
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const text = await this.take(request);
    const answer = this.answers.shift() ?? 200;
    if (answer === "never") return;
    if (answer === 200) this.keep(JSON.parse(text) as Sent);
    response.writeHead(answer, { "content-type": "application/json" }).end("{}");
  }

  private async take(request: IncomingMessage): Promise<string> {
    if (request.method !== "POST" || request.url !== "/v1/traces") return "{}";
    this.headers.push(request.headers);
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    return Buffer.concat(parts).toString("utf8");
  }

  private keep({ resourceSpans }: Sent): void {
    for (const { resource, scopeSpans } of resourceSpans) {
      const from = String(attributesOf(resource.attributes)["service.instance.id"]);
      for (const span of scopeSpans.flatMap(({ spans }) => spans)) {
        this.spans.push({
          traceId: hex(span.traceId, 32),
          spanId: hex(span.spanId, 16),
          parentSpanId: span.parentSpanId === undefined ? undefined : hex(span.parentSpanId, 16),
          name: span.name,
          startMs: milliseconds(span.startTimeUnixNano),
          endMs: milliseconds(span.endTimeUnixNano),
          attributes: attributesOf(span.attributes),
          from,
        });
      }
    }
  }
}

const milliseconds = (nanoseconds: string): number => Number(BigInt(nanoseconds) / 1_000_000n);

function hex(text: string, digits: number): string {
  if (new RegExp(`^[0-9a-f]{${digits}}$`).test(text) && !/^0+$/.test(text)) return text;
  throw new Error(`No id of ${digits} digits: ${text}`);
}

const attributesOf = (attributes: readonly Attribute[]): SpanAttributes =>
  Object.fromEntries(
    attributes.map(({ key, value: { stringValue, intValue } }) => [
      key,
      intValue === undefined ? String(stringValue) : Number(intValue),
    ]),
  );
