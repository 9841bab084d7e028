/** The last lines that a replica has written, and on demand what it writes from now on. */
import { useEffect, useRef } from "preact/hooks";
import { queryState } from "../app/query-state.ts";
import { hrefWith } from "../app/router.ts";
import { CopyButton } from "../parts/copy-button.tsx";
import { ErrorState } from "../parts/error-state.tsx";
import { Panel } from "../parts/panel.tsx";
import { Skeleton } from "../parts/skeleton.tsx";
import { useLog } from "./use-log.ts";
import { replicasPath } from "./workload-path.ts";

const follow = queryState("follow");
const previous = queryState("previous");
const wrap = queryState("wrap", { fallback: "yes" });

/** What fits a few screens; the command prints all of it. */
const LINES = 200;

export interface LogPanelProps {
  readonly tenant: string;
  readonly replica: string;
}

export function LogPanel({ tenant, replica }: LogPanelProps) {
  const isFollowed = follow.value === "yes";
  const isPrevious = previous.value === "yes";
  const isWrapped = wrap.value === "yes";
  const query = new URLSearchParams({
    tailLines: String(LINES),
    ...(isFollowed ? { follow: "true" } : {}),
    ...(isPrevious ? { previous: "true" } : {}),
  });
  const path = `${replicasPath(tenant)}/${encodeURIComponent(replica)}/log?${query.toString()}`;
  const log = useLog(path);
  const command = `berth logs ${replica} -n ${tenant} --tail ${LINES}${isFollowed ? " -f" : ""}${isPrevious ? " -p" : ""}`;
  return (
    <Panel
      title={`Log of ${replica}`}
      place="bottom"
      closeHref={hrefWith({
        logs: undefined,
        follow: undefined,
        previous: undefined,
        wrap: undefined,
      })}
    >
      <div class="log-drawer">
        <div class="ways">
          <a class="button" href={hrefWith({ follow: isFollowed ? undefined : "yes" })}>
            {isFollowed ? "Stop following" : "Follow"}
          </a>
          <a class="button" href={hrefWith({ previous: isPrevious ? undefined : "yes" })}>
            {isPrevious ? "The current process" : "The previous process"}
          </a>
          <a class="button" href={hrefWith({ wrap: isWrapped ? "no" : undefined })}>
            {isWrapped ? "Do not wrap lines" : "Wrap lines"}
          </a>
          <button type="button" class="button" onClick={() => log.reload()}>
            Refresh
          </button>
          <CopyButton text={command} label="Copy the command" />
        </div>
        {log.failure !== undefined && (
          <ErrorState title="No log available." failure={log.failure} />
        )}
        {log.failure === undefined && !log.hasBegun && (
          <Skeleton label="Reading the log" rows={6} />
        )}
        {log.hasBegun && <Lines text={log.text} isWrapped={isWrapped} />}
        {log.hasBegun && (
          <p class="quiet">
            {log.hasEnded ? `Up to ${LINES} lines.` : "Following: new lines appear at the end."}
          </p>
        )}
      </div>
    </Panel>
  );
}

/** Stays at the end while the reader is there, and where the reader is otherwise. */
function Lines({ text, isWrapped }: { readonly text: string; readonly isWrapped: boolean }) {
  const pre = useRef<HTMLPreElement>(null);
  const isAtEnd = useRef(true);
  useEffect(() => {
    const { current } = pre;
    if (current !== null && isAtEnd.current) current.scrollTop = current.scrollHeight;
  }, [text, isWrapped]);
  return (
    <pre
      class={isWrapped ? "log" : "log log-unwrapped"}
      ref={pre}
      tabIndex={0}
      role="log"
      aria-label="Lines"
      onScroll={({ currentTarget: { scrollTop, clientHeight, scrollHeight } }) => {
        isAtEnd.current = scrollTop + clientHeight >= scrollHeight - 8;
      }}
    >
      {text === "" ? "The log is empty." : text}
    </pre>
  );
}
