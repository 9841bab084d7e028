/** The conditions of a workload as programs read them, with what is not fine first. */
import type { ConditionCell } from "../../../src/api/views/view-rows.ts";
import { RelativeTime } from "../parts/relative-time.tsx";
import { StatusWord } from "../parts/status-word.tsx";
import type { ShownCondition } from "./workload-object.ts";

export interface ConditionListProps {
  readonly conditions: readonly ShownCondition[];
  /** As the plane checks it. */
  readonly notFine: readonly ConditionCell[];
}

export function ConditionList({ conditions, notFine }: ConditionListProps) {
  const isOff = ({ type }: ShownCondition): boolean => notFine.some((each) => each.type === type);
  const ordered = conditions.toSorted((a, b) => Number(isOff(b)) - Number(isOff(a)));
  return (
    <table class="rules">
      <caption class="unseen">Conditions</caption>
      <thead>
        <tr>
          <th scope="col">Condition</th>
          <th scope="col">Is</th>
          <th scope="col">Why</th>
          <th scope="col">Since</th>
        </tr>
      </thead>
      <tbody>
        {ordered.map((condition) => (
          <tr key={condition.type}>
            <th scope="row">{condition.type}</th>
            <td>
              <StatusWord tone={isOff(condition) ? "wait" : "good"}>{condition.status}</StatusWord>
            </td>
            <td>
              <strong>{condition.reason}</strong> {condition.message}
            </td>
            <td>
              <RelativeTime at={condition.lastTransitionTime} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
