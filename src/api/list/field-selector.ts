/** Field selectors: `metadata.name=api,spec.nodeName!=a-1`, on the few fields a kind offers. */
import type { AnyObject } from "../../core/model/objects.ts";
import { didYouMean } from "../../spelling/nearest.ts";
import { ApiError } from "../errors.ts";
import { echoed } from "../http/echoed.ts";
import { checkSelectorLength, checkSelectorTerms } from "./selector-size.ts";

/** Whatever has a name can be selected by it. */
interface HasName {
  readonly meta: { readonly name: string; readonly namespace: string };
}

export type FieldMatch<T extends HasName = AnyObject> = (object: T) => boolean;
export type SelectableFields<T extends HasName = AnyObject> = Readonly<
  Record<string, (object: T) => string>
>;

const OF_EVERY_KIND: SelectableFields<HasName> = {
  "metadata.name": ({ meta }) => meta.name,
  "metadata.namespace": ({ meta }) => meta.namespace,
};

const REQUIREMENT = /^([^=!]+)(==|=|!=)(.*)$/s;

export function parseFieldSelector<T extends HasName = AnyObject>(
  text: string | undefined,
  offered: SelectableFields<T>,
): FieldMatch<T> {
  if (text === undefined || text.trim() === "") return () => true;
  const fields: SelectableFields<T> = { ...OF_EVERY_KIND, ...offered };
  checkSelectorLength(text);
  const parts = splitUnescaped(text);
  checkSelectorTerms(parts);
  const requirements = parts
    .filter((part) => part.trim() !== "")
    .map((part): FieldMatch<T> => {
      const parsed = REQUIREMENT.exec(part.trim());
      if (parsed === null) {
        throw new ApiError("bad-selector", `"${echoed(part)}" is not of the form field=value.`);
      }
      const [, written = "", operator, raw = ""] = parsed;
      const field = written.trimEnd();
      const read = Object.hasOwn(fields, field) ? fields[field] : undefined;
      if (read === undefined) {
        const known = Object.keys(fields);
        throw new ApiError(
          "bad-selector",
          `field label not supported: ${echoed(field)}.${didYouMean(field, known)} Supported: ${known.join(", ")}.`,
        );
      }
      const wanted = raw.replace(/\\(.)/gs, "$1");
      return operator === "!="
        ? (object) => read(object) !== wanted
        : (object) => read(object) === wanted;
    });
  return (object) => requirements.every((matches) => matches(object));
}

function splitUnescaped(text: string): string[] {
  return text.match(/(?:\\.|[^,\\])+/gs) ?? [];
}
