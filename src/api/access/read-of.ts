/** What a look at one object asks of roles. */
import type { ResourceRequest } from "../../core/model/access.ts";
import { KINDS, type ObjectKey, parseKey } from "../../core/model/ids.ts";
import { ApiError } from "../errors.ts";
import { echoed } from "../http/echoed.ts";
import { resourceOf } from "../../core/access/resource-of.ts";

export function readOf(key: ObjectKey): ResourceRequest {
  const { namespace, name, ...of } = parseKey(key);
  const kind = KINDS.find((each) => each === of.kind);
  if (kind === undefined) {
    throw new ApiError("bad-request", `There is no kind "${echoed(of.kind)}".`);
  }
  return {
    verb: "get",
    ...resourceOf(kind),
    ...(namespace === "" ? {} : { namespace }),
    name,
  };
}
