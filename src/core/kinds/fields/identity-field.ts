/** For whom a replica can prove who it is, in both forms of a template. */
import { OBJECT_MOST } from "../../model/limits/object-limits.ts";
import { list, patterned } from "./field.ts";

export const identity = list(
  "Audiences of a token by which the process proves who it is, such as vault. Its agent keeps a fresh one in the file berth-token of $BERTH_FILES.",
  patterned("An audience, which the service that checks the token expects in `aud`.", {
    most: 253,
    pattern: "^[!-~]+$",
    expected: "an audience without spaces",
  }),
  { repeated: "refused", most: OBJECT_MOST.audiences },
);
