/**
 * Runs `berth top`: reads the streams of the plane, draws what they tell, and does what keys say,
 * until it is left.
 */
import type { AuditEntry } from "../../api/audit/audit-entry.ts";
import type { AuditPage } from "../../api/audit/read-audit.ts";
import type { ApiClient } from "../client/api-client.ts";
import { followStream } from "./follow-stream.ts";
import { frame, type Size } from "./frame.ts";
import { FullScreen } from "./full-screen.ts";
import { NOTHING_OPENED, OpenedSources } from "./opened-sources.ts";
import { PANE_VIEWS } from "./panes.ts";
import { readKeys } from "./read-keys.ts";
import { steer } from "./steer.ts";
import { painted } from "./styled-line.ts";
import { TopModel } from "./top-model.ts";
import { NEW_READER, type Reader, type TopState, VIEWS } from "./top-state.ts";

/** The terminal it is drawn on. */
export interface Console {
  readonly hasColour: boolean;
  size(): Size;
  write(text: string): void;
  /** Keys as they are pressed, unseen; returns how to stop. */
  onKeys(listener: (text: string) => void): () => void;
  onResize(listener: () => void): () => void;
  /** Called with what must happen however the process ends; returns how to take that back. */
  onExit(listener: () => void): () => void;
}

/** What comes together is drawn together; ten times a second is as much as anybody sees. */
const TOGETHER_MS = 100;
/** Ages grow by the second, whether or not the plane has anything to say. */
const TICK_MS = 1_000;
/** As much as is shown at first; `berth audit` shows older ones. */
const FIRST_ENTRIES = "100";

export async function runTop(
  client: ApiClient,
  terminal: Console,
  stopped: Promise<unknown>,
): Promise<void> {
  // Before the screen is taken: an error about a wrong plane is printed on the normal screen.
  const model = await beginModel(client);
  const sources = new OpenedSources(client, () => top.soon());
  const top = new Top({ model, sources, planeOf: () => client.url.origin }, terminal);
  const over = new AbortController();
  try {
    top.open();
    const streams = followAll(client, model, { signal: over.signal, onNews: () => top.soon() });
    await Promise.race([top.left, stopped, streams, sources.failed]);
  } finally {
    over.abort();
    sources.close();
    top.close();
  }
}

export async function topOnce(
  client: ApiClient,
  of: { readonly size: Size; readonly hasColour: boolean },
): Promise<string> {
  const model = await beginModel(client);
  for (const view of VIEWS) {
    const table = await client.get<object>(`/views/${view}`);
    model.tellView(view, { type: "table", ...table }, Date.now());
    model.connected(view, { kind: "live" });
  }
  model.connected("audit", { kind: "live" });
  const state = model.state(client.url.origin, Date.now(), NOTHING_OPENED);
  // The last line is about keys, which have no effect here.
  const lines = frame(state, NEW_READER, of.size).slice(0, -1);
  const look = { width: of.size.width, hasColour: of.hasColour };
  return `${lines
    .map((each) => painted(each, look))
    .join("\n")
    .trimEnd()}\n`;
}

async function beginModel(client: ApiClient): Promise<TopModel> {
  const model = new TopModel(Date.now());
  const page = await client.get<AuditPage>("/audit", { query: { limit: FIRST_ENTRIES } });
  const leads = await client.get<AuditPage>("/audit", { query: { command: "lead", limit: "1" } });
  const lead: AuditEntry | undefined = leads.entries[0];
  model.begin(page, lead);
  return model;
}

function followAll(
  client: ApiClient,
  model: TopModel,
  { signal, onNews }: { readonly signal: AbortSignal; readonly onNews: () => void },
): Promise<unknown> {
  const watch = { watch: "true", allowWatchBookmarks: "true" };
  const views = VIEWS.map((view) =>
    followStream(client, {
      path: `/views/${view}`,
      query: () => watch,
      signal,
      onLine: (line) => {
        model.tellView(view, line, Date.now());
        onNews();
      },
      onConnection: (connection) => {
        model.connected(view, connection);
        onNews();
      },
    }),
  );
  const audit = followStream(client, {
    path: "/audit",
    query: () => ({ ...watch, after: model.auditedTo?.toString() }),
    signal,
    onLine: (line) => {
      model.tellAudit(line, Date.now());
      onNews();
    },
    onConnection: (connection) => {
      model.connected("audit", connection);
      onNews();
    },
    onExpired: () => {
      model.auditedTo = undefined;
    },
  });
  return Promise.all([...views, audit]);
}

interface TopOf {
  readonly model: TopModel;
  readonly sources: OpenedSources;
  readonly planeOf: () => string;
}

class Top {
  private readonly of: TopOf;
  private readonly terminal: Console;
  private readonly screen: FullScreen;
  private reader: Reader = NEW_READER;
  private waiting: NodeJS.Timeout | undefined;
  private tick: NodeJS.Timeout | undefined;
  private readonly closers: (() => void)[] = [];
  private leave: () => void = () => {};
  /** Resolves when the reader wants to leave. */
  readonly left = new Promise<void>((resolve) => {
    this.leave = resolve;
  });

  constructor(of: TopOf, terminal: Console) {
    this.of = of;
    this.terminal = terminal;
    this.screen = new FullScreen(terminal);
  }

  open(): void {
    const { terminal, screen } = this;
    this.closers.push(terminal.onExit(() => screen.leave()));
    screen.enter();
    this.closers.push(
      terminal.onKeys((text) => this.press(text)),
      terminal.onResize(() => {
        screen.forget();
        this.draw();
      }),
    );
    this.tick = setInterval(() => this.draw(), TICK_MS);
    this.draw();
  }

  close(): void {
    clearInterval(this.tick);
    clearTimeout(this.waiting);
    this.screen.leave();
    for (const close of this.closers) close();
  }

  soon(): void {
    this.waiting ??= setTimeout(() => {
      this.waiting = undefined;
      this.draw();
    }, TOGETHER_MS);
  }

  private get state(): TopState {
    const { model, sources, planeOf } = this.of;
    return model.state(planeOf(), Date.now(), sources.state);
  }

  private press(text: string): void {
    for (const key of readKeys(text)) {
      const { state, reader } = this;
      const rows = PANE_VIEWS[reader.pane].rows(state, reader, this.terminal.size());
      const next = steer(reader, key, rows);
      if (next === "quit") return this.leave();
      this.reader = next;
      this.of.sources.follow(next);
    }
    this.draw();
  }

  private draw(): void {
    const size = this.terminal.size();
    const look = { width: size.width, hasColour: this.terminal.hasColour };
    this.screen.draw(frame(this.state, this.reader, size).map((each) => painted(each, look)));
  }
}
