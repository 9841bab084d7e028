/**
 * Objects as YAML for people and programs: text that no terminal should get as it is stands in
 * double quotes, escaped.
 */
import { Document, visit } from "yaml";
import { isPrintable } from "./printable.ts";

/**
 * Only inside double quotes is an escape such as `\u001b` read as the character that it stands for.
 */
export function yamlText(value: unknown): string {
  const document = new Document(value);
  visit(document, {
    Scalar: (_, node) => {
      if (typeof node.value === "string" && !isPrintable(node.value.replaceAll(/[\n\t]/g, "")))
        node.type = "QUOTE_DOUBLE";
    },
  });
  return document.toString({ lineWidth: 0 });
}
