import { afterEach, expect, test, vi } from "vitest";
import { deriveLanguage, setLanguage } from "../../src/lib/texts";
import { latestRequest } from "../../src/ui/latestrequest";
import { decode } from "../../src/wire/protocol";
import { reasonIn, reasonTemplates, worded } from "../../src/wire/reasons";
import { Refused } from "../../src/wire/requests";
import { Store } from "../../src/wire/store";
import reasons from "../fixtures/reasons.json";
import { BY_KIND, CODECS } from "./made";
import { recorded } from "./messages";

const OWN = "de";

afterEach(() => setLanguage("en"));

function speak(templates: Readonly<Record<string, string>>): void {
  deriveLanguage(OWN, (table) => table);
  reasonTemplates.set(OWN, templates);
  setLanguage(OWN);
}

test("in English, the kernel's own text is shown", () => {
  expect(reasonIn({ reason: "unknown request", code: "unknown-request", arguments: {} })).toBe("unknown request");
  expect(reasonIn({ code: "unknown-request" })).toBeNull();
});

test("in another language, its template is filled with the arguments", () => {
  speak(reasons);
  expect(worded("damaged-record", { bytes: 1_200_000, cause: "length" })).toBe("damaged record: 1,2 MB skipped");
  expect(worded("too-many-entries", { most: 12345 })).toBe("more than 12\u202f345 entries; the rest is skipped");
  expect(worded("shape-mismatch", { values: 1, elements: 2 })).toBe("1 value for 2 elements");
  expect(worded("mesh-shape", { shape: [2, 8] })).toBe("expected a mesh of shape [b, n, 3], found shape [2, 8]");
  expect(worded("unknown-option", { option: "x", hint: "no" })).toBe("there is no option “x”: no");
});

test("a word for a value of an argument stands for it", () => {
  speak({ "content-failed": "{kind} {tag}", "kind:images": "Bilder" });
  expect(worded("content-failed", { kind: "images", tag: "images" })).toBe("Bilder images");
  expect(worded("content-failed", { kind: "audio", tag: "a" })).toBe("audio a");
});

test("a reason within a reason is worded, too", () => {
  speak({ "graph-problem": "Graph {graph}: {problem}", "graph-function": "keine Funktion" });
  const args = { graph: "g", problem: "a function", problem_code: "graph-function", problem_arguments: {} };
  expect(worded("graph-problem", args)).toBe("Graph g: keine Funktion");
});

test("a text without a template, or with other arguments, is shown as the kernel wrote it", () => {
  speak({ "no-such-node": "kein Knoten", "too-deep": "tiefer als {most}" });
  const shown = (code: unknown, args: unknown) => reasonIn({ reason: "as written", code, arguments: args });
  expect(shown("no-such-node", {})).toBe("kein Knoten");
  for (const args of [{}, { most: null }, { least: 3 }, null, [3]]) {
    expect(shown("too-deep", args)).toBe("as written");
  }
  expect([shown("toString", {}), shown("__proto__", {}), shown(7, {})]).toEqual(Array(3).fill("as written"));
});

test("reasons that have arrived are worded again when the language changes", async () => {
  const written = { reason: "as written", code: "no-such-node", arguments: {} };
  const [first] = recorded();
  const header = {
    ...(first?.header as object),
    ...{ series: [], runs: ["a"], tags: ["loss"] },
    failed: [{ kind: "scalars", run: 0, tag: 0, ...written }],
    answers: [{ request: "1", ok: false, ...written }],
  };
  const message = first && decode(header, [first.buffer], BY_KIND);
  const [failed, answer] = [message?.failed[0], message?.answers[0]];
  if (!message || !failed || !answer) {
    throw new Error("no message");
  }
  const store = new Store(CODECS);
  store.apply(message, 0);
  const asked = latestRequest({ ask: () => Promise.reject(new Refused(() => answer.reason)) });
  asked.ask("x", {}, () => null);
  await vi.waitFor(() => expect(asked.waits.value).toBe(false));
  const shown = () => [
    store.problems.value[0]?.message,
    store.failure("scalars", failed.run, failed.tag),
    asked.reason.value,
  ];
  expect(shown()).toEqual(["damaged record: 36 kB skipped", "as written", "as written"]);
  speak({ "damaged-record": "Datei beschädigt", "no-such-node": "kein Knoten" });
  expect(shown()).toEqual(["Datei beschädigt", "kein Knoten", "kein Knoten"]);
});
