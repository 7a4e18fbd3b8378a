// The workers' program in the page itself, which takes from it what both need: so the bundle holds that once.

import { program } from "./layout/program";

export const { place, openedUpTo, tree } = program();

export const { entryOf, isBox, pathOf, rowOf, rowsBy, treeOf } = tree;
