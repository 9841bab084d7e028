/**
 * Addresses that Kubernetes understands in more than one form, in the one form that the routes
 * have: without a slash at the end, and a watch as a list with `watch=true`.
 */

/** The dashboard's own paths end as they end. */
const OF_THE_API = /^\/(?:apis?|openapi|version|healthz|livez|readyz|metrics)(?:\/|$)/;
/** `/api/v1/watch/…` and `/apis/GROUP/VERSION/watch/…`, from before lists could be watched. */
const LEGACY_WATCH = /^(\/api\/[^/]+|\/apis\/[^/]+\/[^/]+)\/watch\/(.+)$/;

export function plainUrl(url: string): string {
  const at = url.indexOf("?");
  const path = at < 0 ? url : url.slice(0, at);
  if (!OF_THE_API.test(path)) return url;
  const query = at < 0 ? "" : url.slice(at + 1);
  const plain = path.endsWith("/") ? path.slice(0, -1) : path;
  const [, root, watched] = LEGACY_WATCH.exec(plain) ?? [];
  if (root !== undefined && watched !== undefined) return watchUrl(root, watched, query);
  return query === "" && at < 0 ? plain : `${plain}?${query}`;
}

/** A watch of one object is a watch of its collection that selects its name. */
function watchUrl(root: string, watched: string, query: string): string {
  const parts = watched.split("/");
  const isInNamespace = parts[0] === "namespaces" && parts.length > 2;
  const scope = isInNamespace ? `/namespaces/${parts[1]}` : "";
  const [plural = "", name, ...rest] = isInNamespace ? parts.slice(2) : parts;
  // Subresources are not watched; the path stays unknown.
  if (rest.length > 0) return `${root}/watch/${watched}`;
  const asked = new URLSearchParams(query);
  asked.set("watch", "true");
  if (name !== undefined) {
    const selected = asked.get("fieldSelector") ?? "";
    const byName = `metadata.name=${decoded(name)}`;
    asked.set("fieldSelector", selected === "" ? byName : `${selected},${byName}`);
  }
  return `${root}${scope}/${plural}?${asked.toString()}`;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
