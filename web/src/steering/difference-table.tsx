/** Field by field what one revision says and the other does not. */
import { differenceHead, revisionDifferences } from "../../../src/steering/revision-differences.ts";
import type { RevisionObject } from "./revision-object.ts";

export interface DifferenceTableProps {
  readonly from: RevisionObject;
  readonly to: RevisionObject;
}

export function DifferenceTable({ from, to }: DifferenceTableProps) {
  const [one, other] = [from.metadata.name, to.metadata.name];
  const found = revisionDifferences(from.spec, to.spec);
  return (
    <>
      <p>{differenceHead(one, other, found.length)}</p>
      {found.length > 0 && (
        <table class="rules differences">
          <thead>
            <tr>
              <th scope="col">Field</th>
              <th scope="col">{one}</th>
              <th scope="col">{other}</th>
            </tr>
          </thead>
          <tbody>
            {found.map(({ field, from: was, to: is }) => (
              <tr key={field}>
                <th scope="row">{field}</th>
                <td>{was}</td>
                <td>{is}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </>
  );
}
