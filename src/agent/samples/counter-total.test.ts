import * as fc from "fast-check";
import { Counter, Gauge, Histogram, Registry } from "prom-client";
import { describe, expect, test } from "vitest";
import { counterTotal } from "./counter-total.ts";

const NAME = "http_requests_total";
const total = (text: string) => counterTotal(text, NAME);

const isKnown = (parts: readonly string[]): boolean => {
  const page = parts.join("");
  const answer = total(page);
  return "missing" in answer || (page.endsWith("\n") && answer.total >= 0);
};

describe("what a counter stands at", () => {
  test("is the sum of all series of its name, and of no other [AS10]", () => {
    const page = [
      "# HELP http_requests_total All of them.",
      "# TYPE http_requests_total counter",
      'http_requests_total{method="GET",code="200"} 1027 1395066363000',
      '  http_requests_total { code = "200", method = "POST", }  3.5e1\t',
      "http_requests_totals 7",
      "",
      "# a note",
      'latency_bucket{le="+Inf"} +Inf',
      "",
    ].join("\n");
    expect(total(page)).toEqual({ total: 1_062 });
  });

  test("is none where it is announced and nothing was counted yet [AS10]", () => {
    expect(total("# TYPE http_requests_total counter\n")).toEqual({ total: 0 });
    expect(total("")).toEqual({ missing: "does not end with the end of a line" });
    expect(total("up 1\n")).toEqual({ missing: "has no counter http_requests_total" });
  });

  test.each([
    ["half a page", `${NAME} 5\n${NAME}{a="1"} 6`, /does not end/],
    ["a gauge", `# TYPE ${NAME} gauge\n${NAME} 5\n`, /as a gauge, not a counter/],
    ["no number", `${NAME} NaN\n`, /value NaN/],
    ["less than none", `${NAME} -1\n`, /value -1/],
    ["without end", `${NAME} +Inf\n`, /too large/],
    [
      "a series that comes twice",
      `${NAME}{a="1",b="2"} 1\n${NAME}{b="2",a="1"} 2\n`,
      /line 2: it is a duplicate/,
    ],
    ["a type that comes late", `${NAME} 1\n# TYPE ${NAME} counter\n`, /line 2: its type/],
    ["a type that is none", `# TYPE ${NAME} tally\n`, /line 1: it has no type/],
    ["a page for people", "<html>\n", /line 1: it is not a sample: "<html>"$/],
    ["a quote that is not closed", `${NAME}{a="1} 2\n`, /line 1: it is not a sample/],
    ["an escape that is none", `${NAME}{a="\\x"} 2\n`, /line 1: it is not a sample/],
    ["a label that comes twice", `${NAME}{a="1",a="2"} 2\n`, /line 1: it is not a sample/],
    ["a number of another kind", `${NAME} 0x10\n`, /line 1: it is not a sample/],
    ["a word that objects have", `${NAME} constructor\n`, /line 1: it is not a sample/],
    ["something behind it", `${NAME} 1 2 3\n`, /line 1: it is not a sample/],
    ["trouble on another's line", `${NAME} 1\nother\n`, /line 2: it is not a sample: "other"$/],
  ])("is not known from %s [AS10]", (_, page, missing) => {
    expect(total(page)).toEqual({ missing: expect.stringMatching(missing) as string });
  });

  test.each([
    ["blanks within a line", `${NAME}${" ".repeat(60_000)}x y z\n`],
    ["blanks without end", `${NAME}${" ".repeat(2_000_000)}x y z\n`],
    ["quotes", `${NAME}{${'"'.repeat(60_001)}} 1\n`],
    ["labels", `${NAME}{${'a="b",'.repeat(10_000)}} 1\n`],
    ["a brace that is not closed", `${NAME}{${"a".repeat(60_000)}\n`],
    ["digits", `${NAME} ${"1".repeat(60_000)}x\n`],
    ["a type", `# TYPE ${" ".repeat(60_000)}${"a ".repeat(10)}\n`],
  ])("is given up at once, whatever a page is made of: %s [AS10]", (_, line) => {
    // As many of them as an answer may have.
    const most = Math.max(1, Math.floor(2_000_000 / line.length));
    expect(total(`up 1\n${line.repeat(most)}`)).toHaveProperty("missing");
    expect(total(`${"up 1\n".repeat(9)}${line}`)).toHaveProperty("missing");
  });

  test("is what a library that writes such pages has counted, whatever else it tells [AS10]", async () => {
    const text = fc.string({ unit: "binary", maxLength: 12 });
    const series = fc.record({ path: text, code: text, by: fc.nat(1_000_000) });
    const other = fc.record({ value: fc.double({ noDefaultInfinity: false }), label: text });
    await fc.assert(
      fc.asyncProperty(
        fc.array(series, { maxLength: 8 }),
        fc.array(other, { maxLength: 4 }),
        text,
        async (counted, others, help) => {
          const registry = new Registry();
          const registers = [registry];
          const of = { help: `.${help}`, registers };
          const gauge = new Gauge({ name: "some_gauge", labelNames: ["l"], ...of });
          const times = new Histogram({ name: `${NAME}_seconds`, labelNames: ["l"], ...of });
          const counter = new Counter({ name: NAME, labelNames: ["path", "code"], ...of });
          for (const { value, label } of others) {
            gauge.set({ l: label }, value);
            // The library takes none that is without end for a time.
            if (Number.isFinite(value)) times.observe({ l: label }, Math.abs(value));
          }
          let sum = 0;
          for (const { path, code, by } of counted) {
            counter.inc({ path, code }, by);
            sum += by;
          }
          expect(total(await registry.metrics())).toEqual({ total: sum });
        },
      ),
      { numRuns: 200 },
    );
  });

  test("never is a number where a page was cut, and nothing makes it fail [AS10]", () => {
    const junk = fc.array(
      fc.oneof(
        fc.constantFrom(
          NAME,
          "{",
          "}",
          '"',
          "\\",
          "\n",
          " ",
          "=",
          ",",
          "# TYPE ",
          "counter",
          "1e9",
        ),
        fc.string({ unit: "binary", maxLength: 4 }),
      ),
      { maxLength: 30 },
    );
    expect(fc.check(fc.property(junk, isKnown), { numRuns: 2_000 })).toMatchObject({
      failed: false,
    });
  });
});
