import { expect, test } from "vitest";
import type { Surface } from "../../src/charts/geometry";
import { svgOf } from "../../src/charts/svg";
import { curveOf } from "../../src/lines/curve";
import { paintLines } from "../../src/lines/paint";
import { PLAIN } from "../lines/options";
import { points } from "../wire/made";

const SIZE = { width: 100, height: 50 };
const measure = (text: string) => ({ width: 6 * text.length }) as TextMetrics;

function drawn(paint: Parameters<typeof svgOf>[2], title = "t"): string {
  return svgOf(SIZE, title, paint, measure);
}

test("a line keeps its points", () => {
  const curve = curveOf(points([0, 1, 2, 4], [0, 1, 0.5, 1]), PLAIN);
  const text = drawn((surface) => {
    const area = { left: 0, top: 0, width: 100, height: 50 };
    const options = { zoomed: false, behind: "line", older: [], highlight: null } as const;
    const line = { run: "r", color: "#123456", curve, faded: false, dash: [4, 2] };
    paintLines(surface, area, [line], [0, 4], [0, 1], options);
  });
  expect(text).toContain('<path d="M0 50L25 0L50 25L100 0" fill="none" stroke="#123456"');
  expect(text).toContain('stroke-dasharray="4 2"');
});

test("names are text, in the title, too", () => {
  const hostile = `<script>alert("1")</script>&amp;\u0000]]>`;
  const text = drawn(({ context }) => context.fillText(hostile, 1, 2), hostile);
  expect(text).not.toContain("<script");
  expect(text.match(/&lt;script&gt;alert\(&quot;1&quot;\)&lt;\/script&gt;&amp;amp;\ufffd]]&gt;/g)).toHaveLength(2);
});

test("saved state is restored, and groups end with it", () => {
  const text = drawn(({ context }) => {
    context.save();
    context.translate(3, 4);
    context.beginPath();
    context.rect(0, 0, 10, 10);
    context.clip();
    context.globalAlpha = 0.5;
    context.fillStyle = "#ffffff80";
    context.fillRect(1, 1, 2, -1);
    context.restore();
    context.fillRect(0, 0, 1, 1);
    context.restore();
  });
  expect(text).toMatch(
    /<g transform="translate\(3 4\)"><clipPath id="([^"]+)"><path d="M0 0h10v10h-10Z"\/><\/clipPath><g clip-path="url\(#\1\)">/,
  );
  // Other programs than browsers do not support colors with an opacity.
  expect(text).toContain(
    '<rect x="1" y="0" width="2" height="1" fill="#ffffff" fill-opacity="0.25"/></g></g><rect x="0" y="0" width="1" height="1" fill="#000000"/>',
  );
});

test("two drawings on one page do not share clips", () => {
  const clip = ({ context }: Surface) => {
    context.rect(0, 0, 1, 1);
    context.clip();
  };
  const id = (text: string) => /clipPath id="([^"]+)"/.exec(text)?.[1];
  expect(id(drawn(clip))).not.toBe(id(drawn(clip)));
});

test("colors as the charts write them, circles and fonts", () => {
  const text = drawn((surface) => {
    const { context } = surface;
    context.strokeStyle = "rgb(1 2 3)";
    context.lineJoin = "round";
    const path = surface.path();
    path.arc(10, 10, 2, 0, 2 * Math.PI);
    context.stroke(path);
    context.font = '500 13px system-ui, "Segoe UI"';
    context.textAlign = "right";
    context.textBaseline = "middle";
    context.fillText("a  b", 5, 10);
  });
  expect(text).toContain('d="M12 10A2 2 0 0 1 8 10A2 2 0 0 1 12 10" fill="none" stroke="rgb(1,2,3)"');
  expect(text).toContain('stroke-linejoin="round"');
  expect(text).toContain(
    '<text x="5" y="14.42" text-anchor="end" font-size="13" font-weight="500" font-family="system-ui, &quot;Segoe UI&quot;"',
  );
});

test("curves and rounded corners, each corner with a radius of its own", () => {
  const text = drawn(({ context }) => {
    context.beginPath();
    context.moveTo(0, 0);
    context.quadraticCurveTo(1, 2, 3, 4);
    context.bezierCurveTo(1, 2, 3, 4, 5, 6);
    context.stroke();
    context.beginPath();
    // No radius is larger than half the smaller side.
    context.roundRect(0, 0, 20, 10, [2, 0, 99, 0]);
    context.fill();
  });
  expect(text).toContain('<path d="M0 0Q1 2 3 4C1 2 3 4 5 6" fill="none"');
  expect(text).toContain('<path d="M2 0H20V5A5 5 0 0 1 15 10H0V2A2 2 0 0 1 2 0Z" fill="#000000"/>');
});
