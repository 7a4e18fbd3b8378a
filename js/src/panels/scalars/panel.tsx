// The scalars: cards by tag, and the controls that hold for all of them.

import { Groups } from "../../dashboard/groups";
import { Toolbar } from "../../dashboard/toolbar";
import { ScalarCard } from "./card";

export function ScalarsPanel() {
  return <Groups Card={ScalarCard} />;
}

export const ScalarsToolbar = Toolbar;
