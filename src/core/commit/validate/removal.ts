/**
 * An object goes for good: at once when nothing holds it, or with its last finalizer. Either way
 * nothing may depend on it any more (OB4, QT4). What depends on which kind is said by the
 * definition of the kind.
 */
import { definitionOf } from "../../kinds/kind-definitions.ts";
import type { AnyObject } from "../../model/objects.ts";
import type { Rejection } from "../../protocol/rejection.ts";
import { type CommitContext, removed, type Verdict } from "../verdict.ts";

export function removal(context: CommitContext, held: AnyObject): Verdict {
  return stillUsed(context, held) ?? withDependents(context, held).map(removed);
}

export const withDependents = (
  { ledger }: CommitContext,
  held: AnyObject,
): readonly AnyObject[] => [
  held,
  ...(definitionOf(held.kind).dependents?.(ledger.objects, held) ?? []),
];

export const stillUsed = ({ ledger }: CommitContext, held: AnyObject): Rejection | undefined =>
  definitionOf(held.kind).stillUsed?.(ledger.objects, held);
