/**
 * Where everything on the map is: regions hold zones, zones hold one cell for each node in rows.
 * Cells are as large as lets the whole fleet be seen at once; a cell is found by arithmetic.
 * Nothing here touches the browser.
 */
export interface ZoneCount {
  readonly region: string;
  readonly zone: string;
  readonly nodes: number;
}

export interface CellSize {
  readonly width: number;
  readonly height: number;
  readonly gap: number;
}

export interface ZoneBox {
  readonly region: string;
  readonly zone: string;
  /** Of the label and the cells below it. */
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly columns: number;
  /** Its nodes are cells `first` to `first + nodes - 1`. */
  readonly first: number;
  readonly nodes: number;
}

export interface RegionBox {
  readonly region: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface ZoneLayout {
  readonly cell: CellSize;
  readonly regions: readonly RegionBox[];
  readonly zones: readonly ZoneBox[];
  readonly width: number;
  readonly height: number;
}

export interface Room {
  readonly width: number;
  /**
   * What should be seen without scrolling; a fleet that is too large for the smallest cells is
   * taller.
   */
  readonly height: number;
}

/**
 * From tiles with a name and a line about it, over tiles with a name, to squares that show a colour
 * only.
 */
const SIZES: readonly CellSize[] = [
  { width: 160, height: 56, gap: 8 },
  { width: 124, height: 44, gap: 6 },
  { width: 84, height: 28, gap: 4 },
  { width: 28, height: 28, gap: 3 },
  { width: 20, height: 20, gap: 2 },
  { width: 15, height: 15, gap: 2 },
  { width: 11, height: 11, gap: 1 },
  { width: 8, height: 8, gap: 1 },
  { width: 6, height: 6, gap: 1 },
  { width: 5, height: 5, gap: 1 },
];
/** How much wider than high a zone is at most; the last one is as wide as there is room. */
const SHAPES = [1.6, 3, 6, 1_000] as const;

export const REGION_LABEL_PX = 22;
export const ZONE_LABEL_PX = 20;
/** Around the zones of a region, around the cells of a zone, and between neighbours. */
const REGION_PAD = 10;
export const ZONE_PAD = 6;
const GAP = 10;
/** A label needs some room even above a single small cell. */
const ZONE_MIN_PX = 84;

export function layOutZones(zones: readonly ZoneCount[], room: Room): ZoneLayout {
  let best: ZoneLayout | undefined;
  for (const cell of SIZES) {
    for (const shape of SHAPES) {
      const layout = layOut(zones, { cell, shape, width: room.width });
      if (layout.height <= room.height) return widened(layout, { zones, shape, room });
      if (best === undefined || layout.height < best.height) best = layout;
    }
  }
  return best ?? layOut(zones, { cell: SIZES[0] as CellSize, shape: 1, width: room.width });
}

/** Tiles with a name get as wide as their rows have room, so that no name is cut beside a gap. */
const NAMED_PX = 84;
const WIDEST = 2.5;
const STEP_PX = 4;

function widened(
  layout: ZoneLayout,
  of: { readonly zones: readonly ZoneCount[]; readonly shape: number; readonly room: Room },
): ZoneLayout {
  const { cell, height } = layout;
  if (cell.width < NAMED_PX) return layout;
  for (let wider = cell.width * WIDEST; wider > cell.width; wider -= STEP_PX) {
    const columns = layout.zones.map((zone) => zone.columns);
    const trial = {
      cell: { ...cell, width: wider },
      shape: of.shape,
      width: of.room.width,
      columns,
    };
    const wide = layOut(of.zones, trial);
    if (wide.height <= height && reaches(wide)) return wide;
  }
  return layout;
}

/** A tile that is wider than the page fits in no row, and makes none taller. */
const reaches = ({ zones, width }: ZoneLayout): boolean =>
  zones.every((zone) => zone.x + zone.width <= width - REGION_PAD);

interface Trial {
  readonly cell: CellSize;
  readonly shape: number;
  readonly width: number;
  /** By zone; left out: as many as suit the shape. */
  readonly columns?: readonly number[];
}

function layOut(zones: readonly ZoneCount[], trial: Trial): ZoneLayout {
  const { width, cell } = trial;
  let first = 0;
  const byRegion = new Map<string, Omit<ZoneBox, "x" | "y">[]>();
  for (const [at, zone] of zones.entries()) {
    const box = { ...zone, ...zoneSize(zone.nodes, trial, trial.columns?.[at]), first };
    byRegion.set(zone.region, [...(byRegion.get(zone.region) ?? []), box]);
    first += zone.nodes;
  }
  const blocks = [...byRegion].map(([region, boxes]) => {
    const packed = shelve(boxes, width - 2 * REGION_PAD);
    const block = { region, boxes, packed };
    return {
      ...block,
      width: packed.width + 2 * REGION_PAD,
      height: packed.height + REGION_LABEL_PX + REGION_PAD,
    };
  });
  const outer = shelve(blocks, width);
  const placed = blocks.map((block, at) => ({ ...block, ...(outer.places[at] ?? ORIGIN) }));
  return {
    cell,
    width,
    height: outer.height,
    regions: placed.map(({ region, x, y, ...of }, at) => ({
      region,
      x,
      y,
      // The last one of a row reaches to the end of it, so that all rows end alike.
      width: placed[at + 1]?.y === y ? of.width : width - x,
      height: of.height,
    })),
    zones: placed.flatMap(({ boxes, packed, x, y }) =>
      boxes.map((box, at) => {
        const place = packed.places[at] ?? ORIGIN;
        return { ...box, x: x + REGION_PAD + place.x, y: y + REGION_LABEL_PX + place.y };
      }),
    ),
  };
}

const ORIGIN = { x: 0, y: 0 } as const;

function zoneSize(
  nodes: number,
  { cell, shape, width }: Trial,
  fixed?: number,
): Pick<ZoneBox, "columns" | "width" | "height"> {
  const pitchX = cell.width + cell.gap;
  const pitchY = cell.height + cell.gap;
  const widest = Math.floor((width - 2 * REGION_PAD - 2 * ZONE_PAD + cell.gap) / pitchX);
  const wanted = Math.ceil(Math.sqrt((nodes * shape * pitchY) / pitchX));
  const columns = fixed ?? Math.max(1, Math.min(widest, wanted, nodes));
  const rows = Math.ceil(nodes / columns);
  return {
    columns,
    width: Math.max(ZONE_MIN_PX, columns * pitchX - cell.gap + 2 * ZONE_PAD),
    height: ZONE_LABEL_PX + rows * pitchY - cell.gap + ZONE_PAD,
  };
}

interface Sized {
  readonly width: number;
  readonly height: number;
}

/** One beside the other, in lines, like words. */
function shelve(boxes: readonly Sized[], width: number) {
  const places: { readonly x: number; readonly y: number }[] = [];
  let [x, y, lineHeight, used] = [0, 0, 0, 0];
  for (const box of boxes) {
    if (x > 0 && x + box.width > width) {
      y += lineHeight + GAP;
      [x, lineHeight] = [0, 0];
    }
    places.push({ x, y });
    used = Math.max(used, x + box.width);
    lineHeight = Math.max(lineHeight, box.height);
    x += box.width + GAP;
  }
  return { places, width: used, height: y + lineHeight };
}
