/**
 * What stands behind a bootstrap token in the list: what its operator states of the node, or how
 * many nodes of a pool it lets in. Nothing that an agent says later goes beyond it (NR2-NR4).
 */
import { CPU_FORM, MEMORY_FORM, parseCpu, parseMemory } from "../../quantity/quantity.ts";
import { UserError } from "../../shell/errors.ts";
import type { CreateTokenOptions } from "./token.ts";

const OF_NODES = ["cpu", "memory", "region", "zone"] as const;

export function bootstrapWords(options: CreateTokenOptions): string {
  const { node, pool, uses, device = [], label = [] } = options;
  const name = node ?? pool ?? "";
  if (!/^[a-z0-9](?:[-a-z0-9.]{0,251}[a-z0-9])?$/.test(name)) {
    throw new UserError("bad-usage", `"${name}" is not a valid name of a node or a pool.`);
  }
  if (node === undefined) {
    const about = OF_NODES.filter((each) => options[each] !== undefined);
    if (about.length + device.length + label.length > 0) {
      throw new UserError("bad-usage", "--pool: the pool says what its nodes are; leave that out.");
    }
    return uses === undefined ? "" : ` uses=${plain("--uses", uses)}`;
  }
  if (uses !== undefined)
    throw new UserError("bad-usage", "--uses: only the token of a pool has it.");
  checkForm("--cpu", options.cpu, parseCpu, CPU_FORM);
  checkForm("--memory", options.memory, parseMemory, MEMORY_FORM);
  const stated = OF_NODES.flatMap((each) => {
    const value = options[each];
    return value === undefined ? [] : [`${each}=${plain(`--${each}`, value)}`];
  });
  const lists = [
    ...(device.length === 0 ? [] : [`devices=${device.map(item("--device")).join(",")}`]),
    ...(label.length === 0 ? [] : [`labels=${label.map(item("--label")).join(",")}`]),
  ];
  return [...stated, ...lists].map((word) => ` ${word}`).join("");
}

function checkForm(
  flag: string,
  text: string | undefined,
  parse: (text: string) => number | undefined,
  form: string,
): void {
  if (text === undefined || parse(text) !== undefined) return;
  throw new UserError("bad-usage", `${flag}: found "${text}", expected ${form}.`);
}

/** A blank would begin another word of the line. */
function plain(flag: string, text: string): string {
  if (/^[\x21-\x7E]+$/.test(text)) return text;
  throw new UserError("bad-usage", `${flag}: found "${text}", expected a text without spaces.`);
}

const item =
  (flag: string) =>
  (text: string): string => {
    if (!text.includes(",")) return plain(flag, text);
    throw new UserError("bad-usage", `${flag}: found "${text}", expected one; repeat the option.`);
  };
