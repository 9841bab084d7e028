/** Keeps a copy of a collection up to date for as long as somebody looks at it. */
import { setTimeout as sleep } from "node:timers/promises";
import { UserError } from "../../shell/errors.ts";
import type { ApiClient } from "./api-client.ts";
import type { ShownList, ShownObject } from "../../steering/api-object.ts";
import { isPassing, watchEvents } from "./watch-events.ts";

export type Mirrored = ReadonlyMap<string, ShownObject>;

export interface MirrorOf {
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  /** Called with everything after the first list and after every change. */
  readonly onChange: (objects: Mirrored) => void;
}

const LIST_AGAIN_MS = 300;

/** Resolves when the signal says so. A plane that is away is waited for. */
export async function mirror(client: ApiClient, of: MirrorOf): Promise<void> {
  const { path, query = {}, signal, onChange } = of;
  while (!signal.aborted) {
    const list = await listOrWait(client, of);
    if (list === undefined) continue;
    const objects = new Map(list.items.map((item) => [nameOf(item), item]));
    onChange(objects);
    const from = list.metadata.resourceVersion;
    for await (const event of watchEvents(client, { path, from, ask: { query }, signal })) {
      if (event.kind !== "changed") continue;
      const object = event.object as ShownObject;
      if (event.type === "DELETED") objects.delete(nameOf(object));
      else objects.set(nameOf(object), object);
      onChange(objects);
    }
  }
}

async function listOrWait(client: ApiClient, of: MirrorOf): Promise<ShownList | undefined> {
  try {
    return await client.get<ShownList>(of.path, { query: of.query ?? {} });
  } catch (error) {
    if (!(error instanceof UserError) || !isPassing(error)) throw error;
    await sleep(LIST_AGAIN_MS, undefined, { signal: of.signal }).catch(() => undefined);
    return undefined;
  }
}

const nameOf = ({ metadata: { namespace = "", name } }: ShownObject): string =>
  `${namespace}/${name}`;
