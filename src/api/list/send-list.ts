/**
 * Lists as text, an object at a time: a list of any length is sent in parts, no faster than the
 * client reads, and with room for everything else in between. A page ends when it is long enough,
 * also before its `limit`.
 */
import type { FastifyReply } from "fastify";
import type { Revision } from "../../core/model/ids.ts";
import type { AnyObject } from "../../core/model/objects.ts";
import type { ApiContext } from "../http/api-context.ts";
import { fieldOf } from "../http/json-value.ts";
import { nextSlice } from "../http/next-slice.ts";
import { listPieces, sendPieces } from "../http/send-pieces.ts";
import { type ListMetadata, showList, type Showing } from "./show.ts";

interface Listed {
  readonly showing: Showing;
  readonly objects: readonly AnyObject[];
  /** Of the list. */
  readonly revision: Revision;
}

export async function sendList(
  context: ApiContext,
  reply: FastifyReply,
  of: Omit<Listed, "revision"> & { readonly metadata: ListMetadata },
): Promise<void> {
  const revision = Number(of.metadata.resourceVersion);
  const items = itemsOf(context, { ...of, revision });
  await sendItems(context, reply, { showing: of.showing, items, metadata: of.metadata });
}

export async function sendItems(
  context: ApiContext,
  reply: FastifyReply,
  of: {
    readonly showing: Showing;
    readonly items: Iterable<string>;
    readonly metadata: ListMetadata;
  },
): Promise<void> {
  const around = JSON.stringify(showList(context, of.showing, [], of.metadata));
  // Items and rows are the last field of their lists, so an empty one is just its end.
  const end = "]}";
  const head = around.slice(0, -end.length);
  await sendPieces(context, reply, listPieces(head, of.items, end));
}

/** The texts of as many objects as fit a page: one at least. */
export async function pageItems(context: ApiContext, of: Listed): Promise<readonly string[]> {
  const { pageBytes, turnBytes, turnItems } = context.limits;
  const items: string[] = [];
  let length = 0;
  let turnLength = 0;
  for (const item of itemsOf(context, of)) {
    items.push(item);
    length += item.length;
    turnLength += item.length;
    if (length >= pageBytes) break;
    if (items.length % turnItems !== 0 && turnLength < turnBytes) continue;
    turnLength = 0;
    await nextSlice();
  }
  return items;
}

function* itemsOf(context: ApiContext, of: Listed): Generator<string, undefined> {
  const { showing, objects, revision } = of;
  const isKept = showing.form === "object" && context.texts.hasRoomFor(objects.length);
  // An object may come to look different while the list is made. With a revision after the list's
  // own, a client that watches from there would miss what happened to others before it.
  const at = (object: AnyObject): Revision => Math.min(context.shown.of(object), revision);
  const shown = { of: at } as ApiContext["shown"];
  for (const object of objects) {
    if (isKept && context.shown.of(object) <= revision) {
      yield context.texts.of(showing.kind, object);
      continue;
    }
    const list = showList({ ...context, shown }, showing, [object], NO_METADATA);
    const [item] = (fieldOf(list, "items") ?? fieldOf(list, "rows")) as readonly unknown[];
    yield JSON.stringify(item);
  }
}

/** That of the list stands around the items, not in them. */
const NO_METADATA: ListMetadata = { resourceVersion: "" };
