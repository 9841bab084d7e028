/**
 * Keeps the canvas of the map painted. A changed row draws its own cell again and nothing else;
 * everything is drawn anew when nodes come or go, when the page is resized, and when something else
 * is to be shown.
 */
import { signal } from "@preact/signals";
import { onNextFrame } from "../live/on-next-frame.ts";
import type { RowChange, RowStore } from "../live/row-store.ts";
import type { ViewRow } from "../live/view-message.ts";
import { shareText } from "../parts/amount-text.ts";
import { drawCell, drawMap, type MapScene, NAME_PX } from "./draw-map.ts";
import { FleetCells } from "./fleet-cells.ts";
import { type FleetRow, healthOf, heldBackBy, readFleetRow, subjectOf } from "./fleet-row.ts";
import { readMapPalette } from "./map-palette.ts";
import { type Measure, shareOf } from "./measure.ts";
import { layOutZones } from "./zone-layout.ts";

export interface MapShown {
  readonly measure: Measure;
  /** Undefined when nothing is filtered. */
  readonly fits: ((subject: string) => boolean) | undefined;
}

/**
 * However much stands above the map, it may have most of a window to itself once it is scrolled to.
 */
const LEAST_SHARE = 0.75;
/** Kept free below the map: its legend, and a phone's navigation. */
const BELOW_PX = 120;

export class MapPainter {
  /** The drawn scene, for hit tests; undefined before the first time. */
  readonly scene = signal<MapScene | undefined>(undefined);
  private readonly canvas: HTMLCanvasElement;
  private readonly rows: RowStore<ViewRow>;
  private shown: MapShown;
  private isDue = false;

  constructor(of: {
    readonly canvas: HTMLCanvasElement;
    readonly rows: RowStore<ViewRow>;
    readonly shown: MapShown;
  }) {
    this.canvas = of.canvas;
    this.rows = of.rows;
    this.shown = of.shown;
  }

  /** Returns how to stop. */
  start(): () => void {
    const again = (): void => this.due();
    const unlisten = this.rows.listen((change) => this.changed(change));
    const resized = new ResizeObserver(again);
    resized.observe(this.canvas.parentElement ?? this.canvas);
    const themed = new MutationObserver(again);
    themed.observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme"] });
    const dark = matchMedia("(prefers-color-scheme: dark)");
    dark.addEventListener("change", again);
    this.drawAll();
    return () => {
      unlisten();
      resized.disconnect();
      themed.disconnect();
      dark.removeEventListener("change", again);
    };
  }

  show(shown: MapShown): void {
    this.shown = shown;
    this.due();
  }

  private due(): void {
    if (this.isDue) return;
    this.isDue = true;
    onNextFrame(() => {
      this.isDue = false;
      if (this.canvas.isConnected) this.drawAll();
    });
  }

  private changed(change: RowChange): void {
    const scene = this.scene.peek();
    const rows = this.rows.peek();
    if (this.isDue) return;
    if (scene === undefined || scene.cells.hasMoved(rows, change)) {
      this.due();
      return;
    }
    const context = this.canvas.getContext("2d");
    if (context === null) return;
    const keys = change.isAll ? rows.keys() : change.changed;
    const different = scene.cells.refresh(rows, keys, this.shown.measure);
    const hasWords = scene.layout.cell.width >= NAME_PX;
    // A tile also says in words what its colour does not tell apart.
    const cells = hasWords ? cellsOf(scene, change.isAll ? rows.keys() : keys) : different;
    if (scene.dimmed !== undefined) this.dimAgain(scene, cells);
    for (const cell of cells) drawCell(context, scene, cell);
  }

  private drawAll(): void {
    const { canvas } = this;
    const context = canvas.getContext("2d");
    const box = canvas.parentElement;
    if (context === null || box === null) return;
    const rows = this.rows.peek();
    const cells = new FleetCells(rows);
    cells.refresh(rows, cells.names, this.shown.measure);
    const top = box.getBoundingClientRect().top + scrollY;
    const layout = layOutZones(cells.zones, {
      width: box.clientWidth,
      height: Math.max(innerHeight * LEAST_SHARE, innerHeight - top - BELOW_PX),
    });
    const dimmed = this.shown.fits === undefined ? undefined : new Uint8Array(cells.names.length);
    const noteOf = (cell: number): string => this.noteOf(cells.names[cell] ?? "");
    const scene = { cells, layout, dimmed, noteOf, palette: readMapPalette(canvas) };
    this.dimAgain(scene, cells.names.keys());
    fit(canvas, layout);
    drawMap(context, scene);
    this.scene.value = scene;
  }

  private dimAgain({ cells, dimmed }: MapScene, which: Iterable<number>): void {
    const { fits } = this.shown;
    if (dimmed === undefined || fits === undefined) return;
    const rows = this.rows.peek();
    for (const cell of which) {
      const row = rows.get(cells.names[cell] ?? "");
      dimmed[cell] = row !== undefined && fits(subjectOf(readFleetRow(row))) ? 0 : 1;
    }
  }

  private noteOf(name: string): string {
    const row = this.rows.peek().get(name);
    return row === undefined ? "" : noteText(readFleetRow(row), this.shown.measure);
  }
}

/** The second line of a large tile: the state when there is one, else how full it is. */
export function noteText(row: FleetRow, measure: Measure): string {
  const health = healthOf(row);
  const share = shareOf(row, measure);
  if (row[8] === "soft") return "forecast";
  if (health !== "ready") return health;
  const amount =
    measure.of === "replicas" ? String(row[12]) : share < 0 ? "none" : shareText(share, 1);
  const [why] = heldBackBy(row);
  if (why !== undefined) return `${amount} · ${why}`;
  const [, , , , , , , , , , , , replicas] = row;
  return measure.of === "replicas"
    ? amount
    : `${amount} · ${replicas} ${replicas === 1 ? "replica" : "replicas"}`;
}

const cellsOf = ({ cells }: MapScene, keys: Iterable<string>): readonly number[] =>
  [...keys].flatMap((key) => cells.cellOf(key) ?? []);

/**
 * As sharp as the screen is. Setting a size clears a canvas, which is drawn anew right after it.
 */
function fit(canvas: HTMLCanvasElement, of: { readonly width: number; readonly height: number }) {
  const ratio = devicePixelRatio;
  canvas.width = Math.round(of.width * ratio);
  canvas.height = Math.round(of.height * ratio);
  canvas.style.width = `${of.width}px`;
  canvas.style.height = `${of.height}px`;
  canvas.getContext("2d")?.setTransform(ratio, 0, 0, ratio, 0, 0);
}
