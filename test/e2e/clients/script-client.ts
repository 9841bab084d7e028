/** Clients in other languages: a script of theirs runs the checks and prints the outcomes. */
import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { clientFolder } from "../../../scripts/client-tools.mjs";
import type { Outcomes, Stage } from "./capability.ts";
import { runProgram } from "./ran-program.ts";

const script = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

export function runPython(stage: Stage): Promise<Outcomes> {
  const root = clientFolder("python3-kubernetes");
  const unpacked = path.join(root, "usr/bin/python3");
  return runScript(
    existsSync(unpacked) ? unpacked : "/usr/bin/python3",
    "python-client.py",
    stage,
    {
      PYTHONPATH: path.join(root, "usr/lib/python3/dist-packages"),
      PYTHONDONTWRITEBYTECODE: "1",
      LD_LIBRARY_PATH: librariesOf(root),
    },
  );
}

export function runRuby(stage: Stage): Promise<Outcomes> {
  const root = clientFolder("ruby-kubeclient");
  const libraries = librariesOf(root);
  const unpacked = path.join(root, "usr/bin/ruby");
  const versions = rubyVersionsOf(root);
  const folders = [
    "usr/lib/ruby/vendor_ruby",
    ...versions.flatMap((version) => [
      `usr/lib/ruby/${version}`,
      `usr/lib/ruby/vendor_ruby/${version}`,
    ]),
  ].map((folder) => path.join(root, folder));
  const compiled = versions.flatMap((version) => [
    path.join(libraries, "ruby", version),
    path.join(libraries, "ruby/vendor_ruby", version),
  ]);
  const gems = ["all", ...versions].map((each) =>
    path.join(root, "usr/share/rubygems-integration", each),
  );
  const compiledGems = versions.map((each) => path.join(libraries, "rubygems-integration", each));
  return runScript(existsSync(unpacked) ? unpacked : "/usr/bin/ruby", "ruby-client.rb", stage, {
    RUBYLIB: [...folders, ...compiled].join(":"),
    GEM_PATH: [...gems, ...compiledGems].join(":"),
    LD_LIBRARY_PATH: libraries,
  });
}

/** Debian names the folder of compiled libraries after the processor. */
function librariesOf(root: string): string {
  const folder = path.join(root, "usr/lib");
  const name = existsSync(folder)
    ? readdirSync(folder).find((each) => each.endsWith("-linux-gnu"))
    : undefined;
  return path.join(folder, name ?? "");
}

function rubyVersionsOf(root: string): readonly string[] {
  const folder = path.join(root, "usr/share/rubygems-integration");
  return existsSync(folder) ? readdirSync(folder).filter((each) => /^\d/.test(each)) : [];
}

async function runScript(
  program: string,
  file: string,
  { kubeconfig, namespace, replica }: Stage,
  env: Record<string, string>,
): Promise<Outcomes> {
  const args = [script(file), kubeconfig, namespace, replica];
  const { code, out, err } = await runProgram(program, args, { env });
  if (code !== 0) throw new Error(`${file} failed: ${err}`);
  return JSON.parse(out) as Outcomes;
}
