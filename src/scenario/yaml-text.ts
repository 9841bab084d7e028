/** Writes plain values as YAML that a person can read: what fits on a line stands on one line. */
import { Document, isCollection, isPair, isSeq, type Node } from "yaml";
import type { Plain } from "../manifest/write-fields.ts";

/** As wide as the source code; a node or a fault fits, a workload takes a few lines. */
const WIDTH = 100;

export function yamlText(value: Plain): string {
  const document = new Document(value, { aliasDuplicateObjects: false });
  if (isCollection(document.contents)) layOut(document.contents, 0);
  // Folding would break long texts into lines that read back the same but compare as changed.
  return document.toString({ lineWidth: 0 });
}

/** The top level and lists of more than words get a line per entry, however little they hold. */
function layOut(node: Node, depth: number): void {
  if (!isCollection(node)) return;
  const spreads = depth === 0 || (isSeq(node) && node.items.some((item) => isCollection(item)));
  if (!spreads && JSON.stringify(node.toJSON()).length + depth * 2 <= WIDTH) {
    node.flow = true;
    return;
  }
  for (const item of node.items) {
    const child: unknown = isPair(item) ? item.value : item;
    if (isCollection(child)) layOut(child, depth + 1);
  }
}
