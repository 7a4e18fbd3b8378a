// Texts of the panel “meshes”.

import { counted, defineTexts } from "../../lib/texts";

export const meshTexts = defineTexts({
  title: "Meshes",
  damaged: "Damaged mesh: it cannot be read",
  loading: "loading",
  empty: "No vertices",
  hint: "Drag to turn, with Shift to pan; Alt and the wheel zoom; 0 or a double-click fits",
  viewerHint:
    "Drag to turn, with Shift to pan; Alt and the wheel zoom; Shift and arrow keys turn, + and − zoom, 0 fits",
  viewer: (tag: string) => `Meshes of ${tag}`,
  open: (run: string) => `Open the mesh of ${run}`,
  nothingHere: "No mesh at this step or before it",
  saveHint: "Save this mesh as it was logged",
  meshOf: (run: string, vertices: string, faces: string) => `Mesh of ${run}: ${vertices} vertices, ${faces} faces`,
  size: (count: number, vertices: string, faces: string | null) =>
    faces === null
      ? counted(count, vertices, { one: "point", other: "points" })
      : `${vertices} vertices, ${faces} faces`,
  where: (run: string, step: string) => `${run}, step ${step}`,
  leftOut: (names: string) => `settings of the scene that are not drawn: ${names}`,
  more: (n: string) => `${n} more`,
  nothingUpTo: (step: string) => `Nothing up to step ${step}`,
  fit: "Fit",
  fitHint: "Show all of the meshes of this tag (key 0, or double-click a mesh)",
  tileSizeHint: "Side of the tiles, in CSS pixels",
  shade: "Shade",
  shades: { none: "Auto", lit: "Lit", flat: "Flat", plain: "Plain", wire: "Wire", points: "Points" },
  shadeHints: {
    none: "As the scene of each mesh says; else lit, and points where there are no faces",
    lit: "Smooth, with light",
    flat: "One shade for each face",
    plain: "Colors without light",
    wire: "Edges of faces",
    points: "Vertices alone",
  },
  color: "Color",
  colorings: { written: "Written", depth: "Depth", normal: "Normal" },
  coloringHints: {
    written: "Colors as they were written; else the color of the run, in which far points fade",
    depth: "Distance from the viewer",
    normal: "Direction of the surface: x red, y green, z blue",
  },
  noNormals: "No mesh that is shown has faces: their points have no direction",
  near: "near",
  far: "far",
  keyHint: "From the nearest to the farthest vertex of each mesh",
  sameCamera: "Same camera",
  sameCameraHint: "Show all runs and samples of a tag from the same side",
  saveHeading: "Meshes",
  counted: (count: number, n: string) => counted(count, n, { one: "mesh", other: "meshes" }),
  saveNowHint: "Only the meshes that this page has loaded",
  asPly: "Save as PLY, as logged",
  asPlyZip: "Save as PLY, as logged, in a zip",
  savedAsPng: (n: string) => `${n} saved as PNG`,
  savedAsPly: (n: string) => `${n} saved as PLY`,
  leftUnsaved: (n: string) => `${n} not saved: not loaded`,
  /** Gestures of pointers, and their effects. */
  gestures: {
    drag: ["Drag", "Turn"],
    move: ["Shift + drag", "Pan"],
    wheel: ["Alt + wheel", "Zoom"],
    fit: ["Double-click", "Fit"],
  } as Readonly<Record<"drag" | "move" | "wheel" | "fit", readonly [string, string]>>,
  keys: { turn: "Turn", move: "Pan", zoom: "Zoom", fit: "Fit" },
});
