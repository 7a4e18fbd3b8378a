// The texts of the panel of meshes.

import { counted } from "./language";

export const meshStrings = {
  damaged: "Damaged mesh: it cannot be read",
  loading: "loading",
  empty: "No vertices",
  hint: "Drag to turn, with Shift to move; Alt and the wheel zoom; 0 or a double-click shows everything",
  meshOf: (run: string, vertices: string, faces: string) => `Mesh of ${run}: ${vertices} vertices, ${faces} faces`,
  size: (vertices: string, faces: string | null) =>
    faces === null ? `${vertices} points` : `${vertices} vertices, ${faces} faces`,
  where: (run: string, step: string) => `${run}, step ${step}`,
  leftOut: (names: string) => `settings of the scene that are not drawn: ${names}`,
  nothingUpTo: (step: string) => `Nothing up to step ${step}`,
  fit: "fit",
  fitHint: "Show all of the meshes of this tag (key 0, or double-click a mesh)",
  tileSize: "Size",
  tileSizeHint: "Side of the tiles, in CSS pixels",
  shade: "Shade",
  shades: { lit: "Lit", flat: "Flat", plain: "Plain", wire: "Wire", points: "Points" },
  shadeHints: {
    lit: "Smooth, with light; click again for what the scene says",
    flat: "One shade for each face",
    plain: "Colors without light",
    wire: "Edges of faces",
    points: "Vertices alone",
  },
  color: "Color",
  colorings: { written: "Written", depth: "Depth", normal: "Normal" },
  coloringHints: {
    written: "Colors as they were written; the color of the run where there are none",
    depth: "Distance from the viewer",
    normal: "Direction of the surface: x red, y green, z blue",
  },
  sameCamera: "Same camera",
  sameCameraHint: "Show all runs and samples of a tag from the same side",
  saveHeading: "Meshes",
  counted: (count: number, n: string) => counted(count, n, "mesh", "meshes"),
  saveNowHint: "Only the meshes that this page has loaded",
  savedAsPly: (n: string) => `${n} saved as PLY`,
  leftUnsaved: (n: string) => `${n} not saved: not loaded`,
};
