/** Every code a user can meet is explained in a document. */
import { codeOnly, withoutComments } from "./blank.ts";
import { specRules } from "./citations.ts";
import type { Finding, SourceFile } from "./source-file.ts";

/** The keys of `export const NAME = { … }`, or undefined when the file exports no such object. */
export function registryCodes(source: string, name: string): string[] | undefined {
  const code = codeOnly(source);
  const start = code.search(new RegExp(`\\bexport const ${name}\\b[^={]*=\\s*\\{`));
  if (start === -1) return undefined;
  const readable = withoutComments(source);
  const codes: string[] = [];
  let depth = 0;
  let at = code.indexOf("{", code.indexOf("=", start));
  do {
    const char = code.charAt(at);
    if ("{[(".includes(char)) depth += 1;
    if ("}])".includes(char)) depth -= 1;
    if (depth === 1 && (char === "{" || char === ",")) {
      const key = /^\s*(?:"([^"]*)"|'([^']*)'|([\w$]+))\s*:/.exec(readable.slice(at + 1));
      if (key) codes.push(key[1] ?? key[2] ?? key[3] ?? "");
    }
    at += 1;
  } while (depth > 0 && at < code.length);
  return codes;
}

export interface Registry {
  readonly name: string;
  readonly source: SourceFile;
  readonly document: SourceFile;
}

export function findUndocumentedCodes({ name, source, document }: Registry): Finding[] {
  const codes = registryCodes(source.text, name);
  if (!codes || codes.length === 0) {
    return [`${source.path} exports no registry ${name} with codes in it.`];
  }
  return codes
    .filter((code) => !document.text.includes(`\`${code}\``))
    .map((code) => `${document.path} does not explain \`${code}\` of ${source.path}: add it.`);
}

/** The other direction, for a document that lists the codes of registries in the first column of its tables. */
export function findUnknownCodes(
  document: SourceFile,
  registries: readonly Omit<Registry, "document">[],
): Finding[] {
  const codes = registries.flatMap(({ name, source }) => registryCodes(source.text, name) ?? []);
  const sources = registries.map(({ source }) => source.path).join(" or ");
  return [...document.text.matchAll(/^\|\s*`([^`]+)`\s*\|/gm)]
    .flatMap((row) => row[1] ?? [])
    .filter((code) => !codes.includes(code))
    .map((code) => `${document.path} explains \`${code}\`, which ${sources} does not have.`);
}

/** A registry that names the rule behind each code names rules that exist. */
export function findUnknownRules({ source, document }: Registry): Finding[] {
  const rules = specRules(document.text);
  return [...withoutComments(source.text).matchAll(/\brule: "([^"]*)"/g)]
    .flatMap((match) => match[1] ?? [])
    .filter((rule, at, all) => all.indexOf(rule) === at && !rules.includes(rule))
    .map((rule) => `${source.path} names [${rule}], which ${document.path} does not have.`);
}
