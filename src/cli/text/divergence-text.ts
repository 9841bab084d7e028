/**
 * Where a replay comes out differently, for a person: both sides, and each field of the effects
 * that differ.
 */
import { type EffectPair, type FieldPair, NOT_RECORDED } from "../../replay/compare-effects.ts";
import type { Divergence } from "../commands/replay.ts";

/** The first that differ explain the others; --json has all of them. */
const EFFECTS_SHOWN = 5;
/** A longer value, such as a template, moves no column. */
const WIDEST = 60;

export function divergenceText({ turn, expected, got, effects = [] }: Divergence): string {
  const head = `Diverged at turn ${turn}.\n  expected  ${expected}\n  got       ${got}`;
  const tables = effects.slice(0, EFFECTS_SHOWN).map(effectTable);
  const left = effects.length - tables.length;
  const more = left > 0 ? [`  … ${left} more effects differ; --json lists them`] : [];
  return [head, ...tables, ...more].join("\n");
}

function effectTable({ effect, fields }: EffectPair): string {
  const rows = [{ field: `effect ${effect}`, expected: "expected", got: "got" }, ...fields];
  const width = (of: (row: FieldPair) => string): number =>
    Math.max(...rows.map((row) => Math.min(WIDEST, of(row).length)));
  const [name, left] = [width(({ field }) => field), width(({ expected }) => expected)];
  return rows
    .map(({ field, expected, got }, at) => {
      const isOther = at > 0 && expected !== got && expected !== NOT_RECORDED;
      const mark = isOther ? "≠" : " ";
      return `  ${field.padEnd(name)}  ${expected.padEnd(left)}  ${mark} ${got}`.trimEnd();
    })
    .join("\n");
}
