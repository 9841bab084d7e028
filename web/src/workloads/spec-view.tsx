/** What a workload asks for, as a table or as the manifest that `berth apply` reads. */
import { queryState } from "../app/query-state.ts";
import { hrefWith } from "../app/router.ts";
import { CopyButton } from "../parts/copy-button.tsx";
import { yamlOf } from "../parts/yaml-of.ts";
import { specRows } from "./spec-rows.ts";
import type { WorkloadObject } from "./workload-object.ts";

const form = queryState("form");

export function SpecView({ object }: { readonly object: WorkloadObject }) {
  const isYaml = form.value === "yaml";
  const yaml = yamlOf(manifestOf(object));
  return (
    <section aria-label="Spec">
      <div class="ways">
        <a class="button" href={hrefWith({ form: isYaml ? undefined : "yaml" })}>
          {isYaml ? "View table" : "View YAML"}
        </a>
        <CopyButton text={yaml} label="Copy YAML" />
      </div>
      {isYaml ? (
        <pre class="log manifest" tabIndex={0} role="region" aria-label="Manifest">
          {yaml}
        </pre>
      ) : (
        <SpecTable object={object} />
      )}
    </section>
  );
}

function SpecTable({ object }: { readonly object: WorkloadObject }) {
  return (
    <table class="rules spec-table">
      <caption class="unseen">Fields of the spec</caption>
      <thead>
        <tr>
          <th scope="col">Field</th>
          <th scope="col">Value</th>
        </tr>
      </thead>
      <tbody>
        {specRows(object.spec).map(({ path, value }) => (
          <tr key={path}>
            <th scope="row">
              <code>{path}</code>
            </th>
            <td class="message">{value}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Only what a person writes: the plane fills in the rest. */
function manifestOf({ metadata, spec }: WorkloadObject) {
  const { name, namespace, labels, annotations } = metadata;
  return {
    apiVersion: "berth.dev/v1",
    kind: "Workload",
    metadata: { name, namespace, labels, annotations },
    spec,
  };
}
