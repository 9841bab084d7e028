/**
 * Code that decides gives the same answer on every machine and at every time. The compiler and the linter stop
 * most of what would break that; this scan repeats their bans, so that loosening a setting cannot lift them.
 */
import { codeOnly } from "./blank.ts";
import { type Finding, isTest, lineOf, type SourceFile } from "./source-file.ts";

interface Ban {
  readonly pattern: RegExp;
  readonly what: string;
  readonly instead: string;
}

/** As a name of its own, not as a member or as a part of a longer name. */
const free = (pattern: string): RegExp => new RegExp(`(?<![\\w$.])(?:${pattern})`, "g");

const NOW = "take time from ctx.now";
const EFFECT = "return an effect and let the shell carry it out";
const AT_ONCE = "answer at once; waiting is a later input";

const HOST_PROCESS = [
  "argv",
  "cwd",
  "env",
  "exit",
  "exitCode",
  "hrtime",
  "kill",
  "memoryUsage",
  "nextTick",
  "off",
  "on",
  "once",
  "pid",
  "platform",
  "stderr",
  "stdin",
  "stdout",
  "uptime",
  "versions?",
];

const BANS: readonly Ban[] = [
  { pattern: free("Date\\b"), what: "Date", instead: NOW },
  { pattern: free("performance\\s*[.[]"), what: "performance", instead: NOW },
  { pattern: /\bMath\s*\.\s*random\b/g, what: "Math.random", instead: "draw from ctx.random()" },
  // A process is also one of our nouns; what the host's own one offers is what gives it away.
  {
    pattern: free(`process\\s*(?:\\[|\\.\\s*(?:${HOST_PROCESS.join("|")})\\b)`),
    what: "process",
    instead: EFFECT,
  },
  { pattern: free("globalThis\\b"), what: "globalThis", instead: EFFECT },
  { pattern: free("fetch\\s*\\("), what: "fetch", instead: EFFECT },
  {
    pattern: free("(?:set|clear)(?:Timeout|Interval|Immediate)\\b"),
    what: "a timer of the host",
    instead: "return a timer effect",
  },
  { pattern: free("queueMicrotask\\b"), what: "queueMicrotask", instead: AT_ONCE },
  { pattern: free("async\\b(?!\\s*[:?,)=.])"), what: "async", instead: AT_ONCE },
  { pattern: free("await\\b(?!\\s*[:?,)=.])"), what: "await", instead: AT_ONCE },
  { pattern: free("(?:Promise|PromiseLike)\\b"), what: "Promise", instead: AT_ONCE },
  {
    pattern: /\.\s*(?:localeCompare|toLocale\w+)\b|(?<![\w$.])Intl\b/g,
    what: "the locale of the machine",
    instead: "compare with < and >",
  },
  {
    pattern:
      /\bMath\s*\.\s*(?:pow|exp|expm1|log|log2|log10|log1p|sqrt|cbrt|hypot|a?sinh?|a?cosh?|a?tanh?|atan2)\b/g,
    what: "floating-point mathematics that differs between engines",
    instead: "decide in integers",
  },
  // Powers of two are exact everywhere; any other base is Math.pow under another name.
  {
    pattern: /(?<!(?<![\w$.])2\s*)\*\*/g,
    what: "the ** operator on a base other than 2",
    instead: "decide in integers",
  },
  {
    pattern: free("(?:WeakRef|FinalizationRegistry)\\b"),
    what: "the garbage collector",
    instead: EFFECT,
  },
];

export const isPure = (path: string): boolean =>
  /^src\/(?:core|sim)\//.test(path) && path.endsWith(".ts") && !isTest(path);

export function findImpurities(files: readonly SourceFile[]): Finding[] {
  return files.filter((file) => isPure(file.path)).flatMap(impuritiesOf);
}

function impuritiesOf({ path, text }: SourceFile): Finding[] {
  const code = codeOnly(text);
  return BANS.flatMap(({ pattern, what, instead }) =>
    [...code.matchAll(pattern)].map(
      (match) => `${path}:${lineOf(code, match.index)} uses ${what}: ${instead}.`,
    ),
  );
}
