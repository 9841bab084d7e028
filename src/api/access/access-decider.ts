/** What the routes ask before they answer: may this caller do this now? */
import type {
  AccessDecision,
  AccessRequest,
  AccessRule,
  Subject,
} from "../../core/model/access.ts";
import type { RoleInForce } from "../../core/rules/access/access-rules.ts";
import type { HostClock } from "../../host/host-clock.ts";
import type { PlanePort } from "../../host/plane-port.ts";

export interface AccessDecider {
  decide(subject: Subject, request: AccessRequest): AccessDecision;
  /** Every rule in force for it: of the whole cluster, and of the namespace if one is given. */
  rulesOf(subject: Subject, namespace?: string): readonly AccessRule[];
  /** The bindings that allow it, whatever the subject. */
  allowing(request: AccessRequest): readonly RoleInForce[];
}

/** Over what the plane shows: the same roles as those by which its objects were read. */
export const createAccessDecider = (
  plane: Pick<PlanePort, "objects">,
  clock: HostClock,
): AccessDecider => ({
  decide: (subject, request) => plane.objects.access.decide(subject, request, clock.nowMs()),
  rulesOf: (subject, namespace) => plane.objects.access.rulesOf(subject, namespace, clock.nowMs()),
  allowing: (request) => [...plane.objects.access.allowing(request, clock.nowMs())],
});
