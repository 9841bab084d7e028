/**
 * Sends a list of any length without keeping the plane from its work: a long one is put into words in pieces,
 * with room for everything else in between, and no faster than the client reads.
 */
import { Readable } from "node:stream";
import { setImmediate } from "node:timers/promises";
import type { FastifyReply } from "fastify";
import type { AnyObject } from "../../core/model/objects.ts";
import type { ApiContext } from "./api-context.ts";
import { fieldOf } from "./json-value.ts";
import { type ListMetadata, showList, type Showing } from "./show.ts";

/** A few milliseconds of work. kubectl's own pages are not longer. */
const AT_ONCE = 500;

export const JSON_TYPE = "application/json; charset=utf-8";

interface List {
  readonly showing: Showing;
  readonly objects: readonly AnyObject[];
  readonly metadata: ListMetadata;
}

export async function sendList(
  context: ApiContext,
  reply: FastifyReply,
  list: List,
): Promise<void> {
  const { showing, objects, metadata } = list;
  if (objects.length <= AT_ONCE && showing.form === "object") {
    void reply.header("Content-Type", JSON_TYPE);
    await reply.send(textOf(context, list));
    return;
  }
  if (objects.length <= AT_ONCE) {
    await reply.send(showList(context, showing, objects, metadata));
    return;
  }
  void reply.header("Content-Type", JSON_TYPE);
  await reply.send(Readable.from(piecesOf(context, list)));
}

/** A short list is made of texts that are at hand; a long one would push all of them out for nothing. */
function textOf({ texts }: ApiContext, { showing: { kind }, objects, metadata }: List): string {
  const { name, apiVersion } = kind;
  const head = JSON.stringify({ kind: `${name}List`, apiVersion, metadata });
  const items = objects.map((object) => texts.of(kind, object));
  return `${head.slice(0, -1)},"items":[${items.join(",")}]}`;
}

async function* piecesOf(
  context: ApiContext,
  { showing, objects, metadata }: List,
): AsyncGenerator<string> {
  const around = JSON.stringify(showList(context, showing, [], metadata));
  // Items and rows are the last field of their lists, so what is left of an empty one is its end.
  const end = "]}";
  yield around.slice(0, -end.length);
  for (let at = 0; at < objects.length; at += AT_ONCE) {
    const piece = showList(context, showing, objects.slice(at, at + AT_ONCE), metadata);
    const items = JSON.stringify(fieldOf(piece, "items") ?? fieldOf(piece, "rows"));
    yield `${at === 0 ? "" : ","}${items.slice(1, -1)}`;
    await setImmediate();
  }
  yield end;
}
