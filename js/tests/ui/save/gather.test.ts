import { beforeEach, expect, test } from "vitest";
import { histogramsTable } from "../../../src/histograms/codec";
import type { SeriesRows } from "../../../src/lib/seriestext";
import { scalarsTable } from "../../../src/lines/codec";
import { TableGathering, tableFile, tableText } from "../../../src/ui/save/savedata";
import type { HeldSeries, TableKind } from "../../../src/ui/save/tablekind";
import { CacheBudget } from "../../../src/wire/cache";
import { Assembler } from "../../../src/wire/pieces";
import type { ClientMessage } from "../../../src/wire/protocol";
import { Requests } from "../../../src/wire/requests";
import { settled } from "../../wire/tracked";

const SCALARS = scalarsTable("scalars");
const HISTOGRAMS = histogramsTable("histograms");

let sent: ClientMessage[];
let requests: Requests;

beforeEach(() => {
  sent = [];
  requests = new Requests("page", (message) => sent.push(message), new Assembler(new CacheBudget(1e9)));
});

/** A series of 10 points; the page has only these. */
function held(tag: string, rows: Partial<SeriesRows> = {}, count = 2): HeldSeries {
  const columns = [Float64Array.of(0.25, 0.75)];
  const own = { step: Float64Array.of(1, 3), wall: Float64Array.of(5, 6), lengths: null, columns, ...rows };
  return { run: "r", tag, total: 10, count, rows: () => own };
}

function asked(): unknown {
  const last = sent.at(-1);
  return last?.type === "request" ? last.args : null;
}

/** Answers the last request. */
function answer(value: unknown, ...columns: (Float64Array | BigInt64Array)[]): void {
  const last = sent.at(-1);
  const request = last?.type === "request" ? last.id : "";
  const bytes = new Uint8Array(columns.reduce((sum, { byteLength }) => sum + byteLength, 0));
  let at = 0;
  for (const { buffer } of columns) {
    bytes.set(new Uint8Array(buffer), at);
    at += buffer.byteLength;
  }
  const entry = { request, ok: true, reason: "", value, size: bytes.length };
  requests.apply([entry], bytes.length === 0 ? [] : [{ request, from: 0, bytes, size: bytes.length }]);
}

const entry = (first: number, rows: number, total = rows, revision = 1) => ({
  first,
  rows,
  cells: rows,
  total,
  revision,
});
const steps = (...of: number[]) => BigInt64Array.from(of, BigInt);
const floats = (...of: number[]) => Float64Array.from(of);

async function textOf(kind: TableKind, gathering: TableGathering): Promise<string> {
  return (await tableFile(gathering.gathered(), kind, "csv")).text();
}

test("all rows of the kernel are saved, in any number of answers", async () => {
  const gathering = new TableGathering(SCALARS, [held("a"), held("b")], requests);
  expect(asked()).toEqual({
    series: [
      ["r", "a", 0, null],
      ["r", "b", 0, null],
    ],
  });
  answer([entry(0, 2, 3), { later: true }], steps(1, 2), floats(10, 20), floats(0.1, 0.2));
  await settled();
  expect(gathering.received.value).toBe(2);
  expect(asked()).toEqual({
    series: [
      ["r", "a", 2, 1],
      ["r", "b", 0, null],
    ],
  });
  answer([entry(2, 1, 3), entry(0, 1)], steps(3), floats(30), floats(0.3), steps(9), floats(90), floats(Number.NaN));
  await settled();
  expect(gathering.waits.value).toBe(false);
  expect(gathering.gathered()).toMatchObject({ exact: true, summarized: false, count: 4, total: 4 });
  expect(await textOf(SCALARS, gathering)).toBe(
    "run,tag,step,wall_time,value\r\nr,a,1,10.0,0.1\r\nr,a,2,20.0,0.2\r\nr,a,3,30.0,0.3\r\nr,b,9,90.0,\r\n",
  );
});

test("a series that is another by now begins again", async () => {
  const gathering = new TableGathering(SCALARS, [held("a")], requests);
  answer([entry(0, 1, 2, 1)], steps(1), floats(1), floats(1));
  await settled();
  answer([entry(0, 2, 2, 2)], steps(5, 6), floats(1, 1), floats(7, 8));
  await settled();
  expect(await textOf(SCALARS, gathering)).toContain("r,a,5,1.0,7.0\r\nr,a,6,1.0,8.0");
  expect(gathering.gathered()).toMatchObject({ count: 2, exact: true });
});

test("without an answer, the loaded data are saved: means, extremes and points of buckets", async () => {
  const buckets = { columns: [floats(0.5, 0.75), floats(0, 0.5), floats(1, 1), floats(4, 6)] };
  const gathering = new TableGathering(SCALARS, [held("a", buckets), held("b")], requests);
  gathering.end();
  const gathered = gathering.gathered();
  expect(gathered).toMatchObject({ exact: false, summarized: true, count: 4, total: 20 });
  expect(tableText(gathered, SCALARS)).toBe(
    [
      "run\ttag\tstep\twall_time\tvalue\tmin\tmax\tpoints",
      "r\ta\t1\t5.0\t0.5\t0.0\t1.0\t4.0",
      "r\ta\t3\t6.0\t0.75\t0.5\t1.0\t6.0",
      "r\tb\t1\t5.0\t0.25\t0.25\t0.25\t1.0",
      "r\tb\t3\t6.0\t0.75\t0.75\t0.75\t1.0",
      "",
    ].join("\r\n"),
  );
  const json = JSON.parse(await (await tableFile(gathered, SCALARS, "json")).text());
  expect(json.exact).toBe(false);
  expect(json.series[0]).toMatchObject({ tag: "a", total: 10, value: [0.5, 0.75], points: [4, 6] });
});

test.each([
  ["a refusal", null],
  ["no list", { rows: 1 }],
  ["too few entries", []],
  ["columns that end too early", [entry(0, 5)]],
  ["rows behind a gap", [entry(3, 1, 10)]],
  ["no rows of many", [entry(0, 0, 10)]],
  ["a reason", [{ reason: "this series is no longer in the logs" }]],
  ["later, for ever", [{ later: true }]],
])("%s ends it, with what is here", async (_, value) => {
  const gathering = new TableGathering(SCALARS, [held("a")], requests);
  answer(value, steps(1), floats(1), floats(1));
  await settled();
  expect(gathering.waits.value).toBe(false);
  expect(gathering.gathered()).toMatchObject({ exact: false, count: 2, total: 10 });
});

test("histograms have a line a bin; lengths that do not fit are refused", async () => {
  const gathering = new TableGathering(HISTOGRAMS, [held("w", {}, 1)], requests);
  const cells = [floats(0, 1, 2), floats(1, 2, 3), floats(4, 5, 6)];
  answer([{ ...entry(0, 2), cells: 3 }], steps(7, 8), floats(1, 2), steps(2, 1), ...cells);
  await settled();
  expect(await textOf(HISTOGRAMS, gathering)).toBe(
    "run,tag,step,wall_time,left,right,count\r\n" +
      "r,w,7,1.0,0.0,1.0,4.0\r\nr,w,7,1.0,1.0,2.0,5.0\r\nr,w,8,2.0,2.0,3.0,6.0\r\n",
  );
  const other = new TableGathering(HISTOGRAMS, [held("w", {}, 1)], requests);
  answer([{ ...entry(0, 2), cells: 3 }], steps(7, 8), floats(1, 2), steps(2, 2), ...cells);
  await settled();
  expect(other.gathered().exact).toBe(false);
});
