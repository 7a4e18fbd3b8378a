import { afterEach, expect, test } from "vitest";
import { hparamsOf } from "../../../src/panels/hparams/sessions";
import { tableOf } from "../../../src/panels/hparams/table";
import fixture from "../../fixtures/groupmeans.json";
import { SweepBoard } from "./board";

const METRICS = ["acc", "loss"] as const;

let board: SweepBoard;

afterEach(() => board.end());

test.each(fixture.map((case_, i) => [i, case_] as const))(
  "groups have the means, counts and common values that pandas computes: %i",
  (_, { sessions, groups }) => {
    board = new SweepBoard({ hparams_groups: true });
    const one = (session: (typeof sessions)[number], i: number) => ({
      ...{ run: `session ${i}`, group: session.group, hparams: { lr: session.lr, opt: session.opt } },
      metrics: Object.fromEntries(
        METRICS.flatMap((name) => (session[name] === null ? [] : [[name, [session[name]]] as const])),
      ),
    });
    board.sweep(sessions.map(one), METRICS);
    const { rows, metrics, hparams } = hparamsOf(board.view).sessions.value;
    const table = tableOf(board.view);
    expect(rows.map(({ run, group }) => group ?? run)).toEqual(
      groups.map(({ row }) => (row === "lone" || row === "none" ? rows.find(({ run }) => isOf(run, row))?.run : row)),
    );
    groups.forEach(({ metrics: expected, common }, row) => {
      METRICS.forEach((name, i) => {
        const { mean, min, max, count } = expected[name];
        const value = metrics[i]?.values[row];
        expect(value === undefined ? null : (value as number)).toEqual(mean === null ? null : expect.closeTo(mean, 9));
        const members = rows[row]?.runs.length ?? 0;
        const numbers = table.trialsOf(row).flatMap((place) => metrics[i]?.sessions[place] ?? []) as number[];
        expect(numbers).toHaveLength(count ?? -1);
        if (members > 1 && mean !== null) {
          expect(table.hintOf(`metric:${name}`, row)).toContain(`mean of ${count} of ${members} trials`);
          expect([Math.min(...numbers), Math.max(...numbers)]).toEqual([
            expect.closeTo(min ?? Number.NaN, 9),
            expect.closeTo(max ?? Number.NaN, 9),
          ]);
        }
      });
      expect(hparams.map(({ values }) => values[row] ?? null)).toEqual([common.lr, common.opt]);
    });

    function isOf(run: string, group: string): boolean {
      return sessions[Number(run.split(" ")[1])]?.group === group;
    }
  },
);
