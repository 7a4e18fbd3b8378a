// Draws a mesh: its vertices are projected, lit and filled into a depth raster. Pure but for caches.

import { DepthRaster } from "../../charts/depth";
import { matrixOf, type Orbit, pixelsPerUnit, project } from "../../charts/orbit";
import { packed } from "../../charts/raster";
import { type Rgb, rgbOf } from "../../charts/theme";
import { scaleColor } from "../../lib/colors";
import type { Theme } from "../../lib/tokens";
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
const COVERED_SHARE = 0.3;
const MAX_SCENE_RADIUS = 24;

/** Pixels, twice: triangles smaller than that have one color. */
const MIN_MIXED_AREA = 4;

/** Colors of the scale of depths. */
const LEVELS = 64;

/** Share of its color that the farthest point of a cloud loses to the background. */
const FADED = 0.75;
/** A cloud fades wholly where its depth is at least this share of its width and height. */
const FADING_DEPTH = 0.25;

const normals = new WeakMap<Sample, Float32Array>();
const edges = new WeakMap<Sample, Uint32Array>();
let raster = new DepthRaster(1, 1);
let projected = new Float32Array(0);

/** How a mesh is drawn if nothing else was chosen. */
export function shadeOf({ faces }: Sample, scene: Scene, chosen: Shade | null): Shade {
  return faces === 0 ? "points" : (chosen ?? scene.shade ?? "lit");
}

/** Draws a mesh of a scene into a picture of `pixels`. */
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
  project(camera, view, sample.planes, out);
  raster.begin(out, packed(look.background));
  const shade = shadeOf(sample, scene, look.shade);
  const colors = colorsOf(sample, scene, out, look, shade === "points");
  if (shade === "points") {
    drawPoints(sample, scene, camera, colors);
  } else if (shade === "wire") {
    drawEdges(sample, colors);
  } else {
    const isLit = look.coloring === "written" && shade !== "plain";
    if (isLit && shade === "lit") {
      light(sample, colors, camera);
    }
    drawFaces(sample, out, colors, isLit && shade === "flat" ? camera : null);
  }
  return raster;
}

/** A packed color of each vertex. */
function colorsOf(sample: Sample, scene: Scene, out: Float32Array, look: Look, isCloud: boolean): Int32Array {
  const { vertices, colors: written } = sample;
  const colors = new Int32Array(vertices);
  if (look.coloring === "depth") {
    colorByDepth(out, colors, (share) => rgbOf(scaleColor(1 - share, look.theme)));
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
    const rgb: Rgb = color === undefined ? rgbOf(look.color) : [color >> 16, (color >> 8) & 255, color & 255];
    if (isCloud) {
      const most = FADED * Math.min(1, depthOf(out, vertices) / FADING_DEPTH);
      colorByDepth(out, colors, (share) => mixed(rgb, look.background, share * most));
    } else {
      colors.fill(packed(rgb));
    }
  }
  return colors;
}

/** Gives each vertex a color by its share of the way from the nearest one to the farthest. */
function colorByDepth(out: Float32Array, colors: Int32Array, colorAt: (share: number) => Rgb): void {
  const scale = Array.from({ length: LEVELS }, (_, i) => packed(colorAt(i / (LEVELS - 1))));
  const depths = out.subarray(2 * colors.length);
  const [nearest, farthest] = endsOf(depths);
  const per = farthest > nearest ? (LEVELS - 1) / (farthest - nearest) : 0;
  for (let i = 0; i < colors.length; i += 1) {
    colors[i] = scale[Math.round((at(depths, i) - nearest) * per)] ?? 0;
  }
}

/** The depth of projected vertices as a share of their width or height, whichever is larger. */
function depthOf(out: Float32Array, vertices: number): number {
  const [width, height, depth] = [0, 1, 2].map((axis) => {
    const [least, most] = endsOf(out.subarray(axis * vertices, (axis + 1) * vertices));
    return Math.max(0, most - least);
  }) as [number, number, number];
  return depth > 0 ? depth / Math.max(width, height) : 0;
}

/** The least and the largest number; NaN counts for nothing. */
function endsOf(numbers: Float32Array): [least: number, most: number] {
  let [least, most] = [Infinity, -Infinity];
  for (const number of numbers) {
    least = number < least ? number : least;
    most = number > most ? number : most;
  }
  return [least, most];
}

/** A color with this share of another one. */
function mixed(color: Rgb, other: Rgb, share: number): Rgb {
  const channel = (of: 0 | 1 | 2) => Math.round(color[of] + share * (other[of] - color[of]));
  return [channel(0), channel(1), channel(2)];
}

function drawPoints({ vertices }: Sample, { size }: Scene, camera: Orbit, colors: Int32Array): void {
  const { width, height } = raster;
  const even = Math.sqrt((COVERED_SHARE * width * height) / (Math.PI * Math.max(1, vertices)));
  const automatic = Math.min(MAX_RADIUS, even);
  const written = size === undefined ? 0 : (size * pixelsPerUnit(camera, raster)) / 2;
  // A size that makes points too small to be seen is not followed.
  const radius = Math.max(
    MIN_RADIUS,
    size === undefined ? automatic : Math.min(MAX_SCENE_RADIUS, Math.max(written, automatic / 2)),
  );
  for (let i = 0; i < vertices; i += 1) {
    raster.disc(i, radius, colors[i] as number);
  }
}

function drawEdges(sample: Sample, colors: Int32Array): void {
  const ends = edgesOf(sample);
  for (let i = 0; i < ends.length; i += 2) {
    const a = ends[i] as number;
    raster.line(a, ends[i + 1] as number, colors[a] as number);
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
  for (let i = 0; i < faces.length; i += 3) {
    const a = faces[i] as number;
    const b = faces[i + 1] as number;
    const c = faces[i + 2] as number;
    const [right1, right2] = [at(out, b) - at(out, a), at(out, c) - at(out, a)];
    const [down1, down2] = [
      at(out, vertices + b) - at(out, vertices + a),
      at(out, vertices + c) - at(out, vertices + a),
    ];
    const isMixed = Math.abs(right1 * down2 - right2 * down1) >= MIN_MIXED_AREA;
    let color0 = at(colors, a);
    let color1 = isMixed ? at(colors, b) : color0;
    let color2 = isMixed ? at(colors, c) : color0;
    if (camera !== null) {
      const [nx, ny, nz] = normalOf(planes, a, b, c);
      const facing = Math.abs(nx * lx + ny * ly + nz * lz) / (Math.sqrt(nx * nx + ny * ny + nz * nz) || 1);
      color0 = dimmed(color0, facing);
      color1 = isMixed ? dimmed(color1, facing) : color0;
      color2 = isMixed ? dimmed(color2, facing) : color0;
    }
    raster.triangle(a, b, c, color0, color1, color2);
  }
}

function at(values: Float32Array | Float64Array | Int32Array, index: number): number {
  return values[index] as number;
}

/** Dims the colors of vertices by the light. Both sides of a face are lit alike: writers do not agree on the outer one. */
function light(sample: Sample, colors: Int32Array, camera: Orbit): void {
  const [lx, ly, lz] = lightIn(camera);
  const directions = normalsOf(sample);
  for (let i = 0; i < colors.length; i += 1) {
    const facing = at(directions, 3 * i) * lx + at(directions, 3 * i + 1) * ly + at(directions, 3 * i + 2) * lz;
    colors[i] = dimmed(at(colors, i), Math.abs(facing));
  }
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

/** A vector at right angles to a face; as long as twice its area. */
function normalOf([xs, ys, zs]: Sample["planes"], a: number, b: number, c: number): [number, number, number] {
  const [ux, uy, uz] = [at(xs, b) - at(xs, a), at(ys, b) - at(ys, a), at(zs, b) - at(zs, a)];
  const [vx, vy, vz] = [at(xs, c) - at(xs, a), at(ys, c) - at(ys, a), at(zs, c) - at(zs, a)];
  return [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
}

/** The direction of the surface at each vertex: the mean of its faces by their areas. */
function normalsOf(sample: Sample): Float32Array {
  const known = normals.get(sample);
  if (known !== undefined) {
    return known;
  }
  // Products of large coordinates overflow single precision.
  const sums = new Float64Array(3 * sample.vertices);
  const { planes, triangles } = sample;
  for (let i = 0; triangles !== null && i < triangles.length; i += 3) {
    const [a, b, c] = [triangles[i] as number, triangles[i + 1] as number, triangles[i + 2] as number];
    const [nx, ny, nz] = normalOf(planes, a, b, c);
    if (Number.isFinite(nx + ny + nz)) {
      for (let corner = i; corner < i + 3; corner += 1) {
        const to = 3 * (triangles[corner] as number);
        sums[to] = at(sums, to) + nx;
        sums[to + 1] = at(sums, to + 1) + ny;
        sums[to + 2] = at(sums, to + 2) + nz;
      }
    }
  }
  const found = new Float32Array(sums.length);
  for (let i = 0; i < sums.length; i += 3) {
    const [x, y, z] = [at(sums, i), at(sums, i + 1), at(sums, i + 2)];
    const length = Math.sqrt(x * x + y * y + z * z) || 1;
    found[i] = x / length;
    found[i + 1] = y / length;
    found[i + 2] = z / length;
  }
  normals.set(sample, found);
  return found;
}
