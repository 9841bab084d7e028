/** Numbers under one name as Prometheus reads them, and their text. */
import type { Distribution } from "./distribution.ts";

type LabelValues = Readonly<Record<string, string>>;

export interface Sample {
  /** What is added to the family's name, such as `_sum`. */
  readonly suffix: "" | "_bucket" | "_sum" | "_count";
  readonly labels: LabelValues;
  readonly value: number;
}

export interface MetricFamily {
  readonly name: string;
  readonly help: string;
  readonly type: "counter" | "gauge" | "histogram";
  readonly samples: readonly Sample[];
}

const NONE: LabelValues = {};

export const sample = (value: number, labels: LabelValues = NONE): Sample => ({
  suffix: "",
  labels,
  value,
});

/** Of times in milliseconds, told in seconds; `unit` 1 leaves the numbers as they are. */
export function samplesOf(
  distribution: Distribution,
  labels: LabelValues = NONE,
  unit: 1 | 1_000 = 1_000,
): readonly Sample[] {
  const { count, sum } = distribution;
  const buckets = distribution
    .cumulative()
    .map(([bound, value]) => bucket(labels, String(bound / unit), value));
  return [
    ...buckets,
    bucket(labels, "+Inf", count),
    { suffix: "_sum", labels, value: sum / unit },
    { suffix: "_count", labels, value: count },
  ];
}

const bucket = (labels: LabelValues, le: string, value: number): Sample => ({
  suffix: "_bucket",
  labels: { ...labels, le },
  value,
});

/** Counts by one label, in the order of its values. */
export const samplesBy = (label: string, counts: ReadonlyMap<string, number>): readonly Sample[] =>
  [...counts]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([value, count]) => sample(count, { [label]: value }));

export function textOf(families: readonly MetricFamily[]): string {
  return families.map(textOfFamily).join("\n");
}

function textOfFamily({ name, help, type, samples }: MetricFamily): string {
  const lines = samples.map(
    ({ suffix, labels, value }) => `${name}${suffix}${textOfLabels(labels)} ${value}`,
  );
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...lines, ""].join("\n");
}

function textOfLabels(labels: LabelValues): string {
  const pairs = Object.entries(labels).map(([label, value]) => `${label}="${escaped(value)}"`);
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
}

const ESCAPES: Readonly<Record<string, string>> = { "\\": "\\\\", '"': '\\"', "\n": "\\n" };
const escaped = (value: string): string =>
  value.replaceAll(/[\\"\n]/g, (character) => ESCAPES[character] ?? character);
