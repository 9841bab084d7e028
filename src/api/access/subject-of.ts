/** The caller of a request as roles know it (AN1). */
import type { Subject } from "../../core/model/access.ts";
import { subjectOfAuthenticated } from "../../core/rules/access/subject-of-actor.ts";
import { type Caller, isAnonymous } from "../http/caller.ts";

export const subjectOf = (caller: Caller): Subject =>
  subjectOfAuthenticated({ ...caller, isAnonymous: isAnonymous(caller) });
