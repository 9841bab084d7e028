/**
 * Streams for components: held while the component is there, shared with all others that ask for
 * the same.
 */
import { useEffect } from "preact/hooks";
import { hold, type Stream, streamAt } from "./held-streams.ts";
import type { LiveObject } from "./object-message.ts";
import { type ObjectQuery, ObjectWatch } from "./object-watch.ts";
import { ViewStream } from "./view-stream.ts";

/**
 * `useView("fleet")`, or with parameters of the view's own: `useView("queue", { tenant: "payments"
 * })`.
 */
export function useView(
  view: string,
  parameters: Readonly<Record<string, string>> = {},
): ViewStream {
  const query = new URLSearchParams({ ...parameters, watch: "true" });
  const path = `/views/${view}?${query.toString()}`;
  return useStream(path, () => new ViewStream(path));
}

export function useObjects<T extends LiveObject>(query: ObjectQuery<T>): ObjectWatch<T> {
  const { path, labelSelector = "", fieldSelector = "", keep } = query;
  const address = `${path} ${labelSelector} ${fieldSelector} ${keep?.name ?? ""}`;
  return useStream(address, () => new ObjectWatch<T>(query));
}

function useStream<S extends Stream>(address: string, create: () => S): S {
  const stream = streamAt(address, create);
  useEffect(() => {
    // It may have been let go between the drawing and now.
    streamAt(address, () => stream);
    return hold(address);
  }, [address]);
  return stream;
}
