/**
 * Fields that a JSON text gives twice. JSON.parse keeps the last one silently; whoever wrote the text meant
 * something by both, so strict validation names them.
 */

/** Paths such as `spec.replicas` and `spec.spread[0].by`. The text must be valid JSON. */
export function duplicateFields(text: string): readonly string[] {
  const found: string[] = [];
  const seen: (Set<string> | undefined)[] = [];
  const path: (string | number)[] = [];
  let expectsName = false;
  for (let at = 0; at < text.length; at++) {
    switch (text[at]) {
      case "{":
        seen.push(new Set());
        path.push("");
        expectsName = true;
        break;
      case "[":
        seen.push(undefined);
        path.push(0);
        break;
      case "}":
      case "]":
        seen.pop();
        path.pop();
        expectsName = false;
        break;
      case ",": {
        const names = seen.at(-1);
        expectsName = names !== undefined;
        if (names === undefined) path.push(Number(path.pop()) + 1);
        break;
      }
      case '"': {
        const end = closingQuote(text, at);
        const names = seen.at(-1);
        if (expectsName && names !== undefined) {
          const name = JSON.parse(text.slice(at, end + 1)) as string;
          path[path.length - 1] = name;
          if (names.has(name)) found.push(joined(path));
          names.add(name);
          expectsName = false;
        }
        at = end;
        break;
      }
      default:
        break;
    }
  }
  return found;
}

function closingQuote(text: string, opening: number): number {
  let at = opening + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
  return at;
}

function joined(path: readonly (string | number)[]): string {
  return path
    .map((part, at) => (typeof part === "number" ? `[${part}]` : at === 0 ? part : `.${part}`))
    .join("");
}
