// Draws a mesh: its vertices are projected, lit and filled into a depth raster. Pure but for caches.

import { DepthRaster } from "../../charts/depth";
import { matrixOf, type Orbit, pixelsPerUnit, project } from "../../charts/orbit";
import { packed } from "../../charts/raster";
import { type Rgb, rgbOf } from "../../charts/theme";
import { scaleColor, type Theme } from "../../lib/colors";
import type { Sample, Scene, Shade } from "./codec";
import type { COLORINGS } from "./options";

export interface Look {
  /** How it is drawn; null: as its scene says. */
  readonly shade: Shade | null;
  readonly coloring: (typeof COLORINGS)[number];
  /** The color of the run, as #rrggbb. */
  readonly color: string;
  readonly background: Rgb;
  readonly theme: Theme;
}

/** In the view: from the right, from above and from the viewer. */
const LIGHT = [0.35, 0.5, 0.79] as const;
/** Share of a color that is left where no light falls. */
const AMBIENT = 0.3;

/** Radius of points in pixels; they cover about this share of the picture if they are spread evenly. */
const [MIN_RADIUS, MAX_RADIUS] = [0.8, 4];
const COVERED = 0.3;
const MAX_SCENE_RADIUS = 24;

/** Pixels, twice: triangles smaller than that have one color. */
const MIN_MIXED_AREA = 4;

/** Colors of the scale of depths. */
const LEVELS = 64;

const normals = new WeakMap<Sample, Float32Array>();
const edges = new WeakMap<Sample, Uint32Array>();
let raster = new DepthRaster(1, 1);
let projected = new Float32Array(0);

/** How a mesh is drawn if nothing else was chosen. */
export function shadeOf({ triangles }: Sample, scene: Scene, chosen: Shade | null): Shade {
  return triangles === null ? "points" : (chosen ?? scene.shade ?? "lit");
}

/** Draws a mesh of a scene into so many pixels. */
export function paintMesh(
  sample: Sample,
  scene: Scene,
  camera: Orbit,
  width: number,
  height: number,
  look: Look,
): DepthRaster {
  const { vertices } = sample;
  const view = { width, height };
  if (raster.width !== width || raster.height !== height) {
    raster = new DepthRaster(width, height);
  }
  if (projected.length < 3 * vertices) {
    projected = new Float32Array(3 * vertices);
  }
  const out = projected.subarray(0, 3 * vertices);
  raster.clear(packed(look.background));
  project(camera, view, sample.planes, out);
  const shade = shadeOf(sample, scene, look.shade);
  const colors = colorsOf(sample, scene, out, look);
  if (shade === "points") {
    drawPoints(sample, scene, camera, out, colors);
  } else if (shade === "wire") {
    drawEdges(sample, out, colors);
  } else {
    const isLit = look.coloring === "written" && shade !== "plain";
    drawFaces(
      sample,
      out,
      isLit && shade === "lit" ? lit(sample, colors, camera) : colors,
      isLit && shade === "flat" ? camera : null,
    );
  }
  return raster;
}

/** A packed color of each vertex. */
function colorsOf(sample: Sample, scene: Scene, out: Float32Array, look: Look): Int32Array {
  const { vertices, colors: written } = sample;
  const colors = new Int32Array(vertices);
  if (look.coloring === "depth") {
    const scale = Array.from({ length: LEVELS }, (_, i) => packed(rgbOf(scaleColor(1 - i / (LEVELS - 1), look.theme))));
    const depths = out.subarray(2 * vertices);
    let [nearest, farthest] = [Infinity, -Infinity];
    for (const depth of depths) {
      nearest = depth < nearest ? depth : nearest;
      farthest = depth > farthest ? depth : farthest;
    }
    const per = farthest > nearest ? (LEVELS - 1) / (farthest - nearest) : 0;
    for (let i = 0; i < vertices; i += 1) {
      colors[i] = scale[Math.round(((depths[i] as number) - nearest) * per)] ?? 0;
    }
  } else if (look.coloring === "normal" && sample.triangles !== null) {
    const directions = normalsOf(sample);
    const byte = (at: number) => Math.round(((directions[at] as number) + 1) * 127.5);
    for (let i = 0; i < vertices; i += 1) {
      colors[i] = packed([byte(3 * i), byte(3 * i + 1), byte(3 * i + 2)]);
    }
  } else if (written !== null) {
    for (let i = 0; i < vertices; i += 1) {
      const at = 3 * i;
      colors[i] =
        0xff000000 | ((written[at + 2] as number) << 16) | ((written[at + 1] as number) << 8) | (written[at] as number);
    }
  } else {
    const { color } = scene;
    colors.fill(packed(color === undefined ? rgbOf(look.color) : [color >> 16, (color >> 8) & 255, color & 255]));
  }
  return colors;
}

function drawPoints({ vertices }: Sample, { size }: Scene, camera: Orbit, out: Float32Array, colors: Int32Array): void {
  const { width, height } = raster;
  const even = Math.sqrt((COVERED * width * height) / (Math.PI * Math.max(1, vertices)));
  const automatic = Math.min(MAX_RADIUS, even);
  const written = size === undefined ? 0 : (size * pixelsPerUnit(camera, raster)) / 2;
  // A size that makes points too small to be seen is not followed.
  const radius = Math.max(
    MIN_RADIUS,
    size === undefined ? automatic : Math.min(MAX_SCENE_RADIUS, Math.max(written, automatic / 2)),
  );
  for (let i = 0; i < vertices; i += 1) {
    raster.disc(
      out[i] as number,
      out[vertices + i] as number,
      out[2 * vertices + i] as number,
      radius,
      colors[i] as number,
      i,
    );
  }
}

function drawEdges(sample: Sample, out: Float32Array, colors: Int32Array): void {
  const { vertices } = sample;
  const ends = edgesOf(sample);
  for (let i = 0; i < ends.length; i += 2) {
    const a = ends[i] as number;
    const b = ends[i + 1] as number;
    raster.line(
      out[a] as number,
      out[vertices + a] as number,
      out[2 * vertices + a] as number,
      out[b] as number,
      out[vertices + b] as number,
      out[2 * vertices + b] as number,
      colors[a] as number,
      a,
    );
  }
}

/** The two vertices of each edge; faces that share an edge have it once. */
function edgesOf(sample: Sample): Uint32Array {
  const known = edges.get(sample);
  if (known !== undefined) {
    return known;
  }
  const { vertices } = sample;
  const triangles = sample.triangles as Uint32Array;
  // Edges are gathered by their smaller vertex.
  const ends = new Uint32Array(vertices + 1);
  const forEach = (visit: (smaller: number, larger: number) => void) => {
    for (let i = 0; i < triangles.length; i += 1) {
      const a = triangles[i] as number;
      const b = triangles[i % 3 === 2 ? i - 2 : i + 1] as number;
      visit(Math.min(a, b), Math.max(a, b));
    }
  };
  forEach((smaller) => {
    (ends[smaller + 1] as number) += 1;
  });
  for (let vertex = 0; vertex < vertices; vertex += 1) {
    (ends[vertex + 1] as number) += ends[vertex] as number;
  }
  const begins = ends.slice();
  const others = new Uint32Array(triangles.length);
  forEach((smaller, larger) => {
    others[begins[smaller] as number] = larger;
    (begins[smaller] as number) += 1;
  });
  const found = new Uint32Array(2 * triangles.length);
  const lastOf = new Int32Array(vertices).fill(-1);
  let count = 0;
  for (let vertex = 0; vertex < vertices; vertex += 1) {
    for (let i = ends[vertex] as number; i < (ends[vertex + 1] as number); i += 1) {
      const other = others[i] as number;
      if (lastOf[other] !== vertex) {
        lastOf[other] = vertex;
        found[count] = vertex;
        found[count + 1] = other;
        count += 2;
      }
    }
  }
  const made = found.slice(0, count);
  edges.set(sample, made);
  return made;
}

/** `camera`: each face has one color, by its own direction. */
function drawFaces(
  { triangles, vertices, planes }: Sample,
  out: Float32Array,
  colors: Int32Array,
  camera: Orbit | null,
): void {
  const faces = triangles as Uint32Array;
  const [lx, ly, lz] = camera === null ? [0, 0, 0] : lightIn(camera);
  const [xs, ys, zs] = planes;
  for (let i = 0; i < faces.length; i += 3) {
    const a = faces[i] as number;
    const b = faces[i + 1] as number;
    const c = faces[i + 2] as number;
    const x0 = out[a] as number;
    const y0 = out[vertices + a] as number;
    const x1 = out[b] as number;
    const y1 = out[vertices + b] as number;
    const x2 = out[c] as number;
    const y2 = out[vertices + c] as number;
    if (hasNoCenter(y0, y1, y2) || hasNoCenter(x0, x1, x2)) {
      continue;
    }
    let color0 = colors[a] as number;
    let color1 = colors[b] as number;
    let color2 = colors[c] as number;
    if (camera !== null) {
      const [ux, uy, uz] = [at(xs, b) - at(xs, a), at(ys, b) - at(ys, a), at(zs, b) - at(zs, a)];
      const [vx, vy, vz] = [at(xs, c) - at(xs, a), at(ys, c) - at(ys, a), at(zs, c) - at(zs, a)];
      const [nx, ny, nz] = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
      const facing = Math.abs(nx * lx + ny * ly + nz * lz) / (Math.hypot(nx, ny, nz) || 1);
      color0 = dimmed(color0, facing);
      color1 = dimmed(color1, facing);
      color2 = dimmed(color2, facing);
    }
    const isSmall = Math.abs((x1 - x0) * (y2 - y0) - (x2 - x0) * (y1 - y0)) < MIN_MIXED_AREA;
    raster.shadedTriangle(
      x0,
      y0,
      out[2 * vertices + a] as number,
      color0,
      x1,
      y1,
      out[2 * vertices + b] as number,
      isSmall ? color0 : color1,
      x2,
      y2,
      out[2 * vertices + c] as number,
      isSmall ? color0 : color2,
      i,
    );
  }
}

/** Whether no center of a pixel is between three places along a side: most of very many faces draw nothing. */
function hasNoCenter(a: number, b: number, c: number): boolean {
  return Math.ceil(Math.min(a, b, c) - 0.5) >= Math.ceil(Math.max(a, b, c) - 0.5);
}

function at(plane: Float32Array, vertex: number): number {
  return plane[vertex] as number;
}

/** The colors of vertices in the light. Both sides of a face are lit alike: writers do not agree on which is the outer one. */
function lit(sample: Sample, colors: Int32Array, camera: Orbit): Int32Array {
  const [lx, ly, lz] = lightIn(camera);
  const directions = normalsOf(sample);
  return colors.map((color, i) => {
    const at = 3 * i;
    const [nx, ny, nz] = [directions[at] as number, directions[at + 1] as number, directions[at + 2] as number];
    return dimmed(color, Math.abs(nx * lx + ny * ly + nz * lz));
  });
}

/** The direction to the light in the data. */
function lightIn(camera: Orbit): [number, number, number] {
  const matrix = matrixOf(camera.rotation);
  const along = (axis: number) => LIGHT.reduce((sum, part, row) => sum + part * (matrix[3 * row + axis] as number), 0);
  return [along(0), along(1), along(2)];
}

/** A color of a surface on which the light falls; `facing`: cosine of the angle. */
function dimmed(color: number, facing: number): number {
  const share = Math.round(256 * Math.min(1, AMBIENT + (1 - AMBIENT) * facing));
  const redBlue = Math.imul(color & 0xff00ff, share) >>> 8;
  return 0xff000000 | (redBlue & 0xff00ff) | ((Math.imul(color & 0xff00, share) >>> 8) & 0xff00);
}

/** The direction of the surface at each vertex: the mean of its faces by their areas. */
function normalsOf(sample: Sample): Float32Array {
  const known = normals.get(sample);
  if (known !== undefined) {
    return known;
  }
  const found = new Float32Array(3 * sample.vertices);
  const { planes, triangles } = sample;
  const [xs, ys, zs] = planes;
  for (let i = 0; triangles !== null && i < triangles.length; i += 3) {
    const [a, b, c] = [triangles[i] as number, triangles[i + 1] as number, triangles[i + 2] as number];
    const [ux, uy, uz] = [at(xs, b) - at(xs, a), at(ys, b) - at(ys, a), at(zs, b) - at(zs, a)];
    const [vx, vy, vz] = [at(xs, c) - at(xs, a), at(ys, c) - at(ys, a), at(zs, c) - at(zs, a)];
    const normal = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
    if (normal.every(Number.isFinite)) {
      for (const vertex of [a, b, c]) {
        normal.forEach((part, axis) => {
          found[3 * vertex + axis] = (found[3 * vertex + axis] as number) + part;
        });
      }
    }
  }
  for (let i = 0; i < found.length; i += 3) {
    const length = Math.hypot(at(found, i), at(found, i + 1), at(found, i + 2)) || 1;
    for (let axis = i; axis < i + 3; axis += 1) {
      found[axis] = at(found, axis) / length;
    }
  }
  normals.set(sample, found);
  return found;
}
