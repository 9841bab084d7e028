/** The beginning of a value as JSON, for messages. Looks at no more of the value than it shows. */
export function preview(value: unknown, most: number): string {
  const parts: string[] = [];
  let length = 0;
  const add = (part: string): void => {
    parts.push(part);
    length += part.length;
  };
  const show = (each: unknown): void => {
    if (length > most) return;
    if (typeof each === "string") return add(JSON.stringify(each.slice(0, most + 1)));
    if (typeof each !== "object" || each === null) {
      return add(each === undefined ? "nothing" : JSON.stringify(each));
    }
    const isList = Array.isArray(each);
    add(isList ? "[" : "{");
    let isFirst = true;
    for (const name in each) {
      if (length > most) return;
      if (!isFirst) add(",");
      if (!isList) add(`${JSON.stringify(name.slice(0, most))}:`);
      show((each as Readonly<Record<string, unknown>>)[name]);
      isFirst = false;
    }
    add(isList ? "]" : "}");
  };
  show(value);
  const text = parts.join("");
  return text.length <= most ? text : `${text.slice(0, most)}…`;
}
