// Firefox, driven by lines of JSON on stdin: one command a line, one answer a line on stdout. It ends with stdin.

import { createInterface } from "node:readline";
import puppeteer from "puppeteer-core";

const [executablePath, downloads] = process.argv.slice(2);
const browser = await puppeteer.launch({
  browser: "firefox",
  executablePath,
  headless: true,
  defaultViewport: { width: 1400, height: 1000 },
  extraPrefsFirefox: { "browser.download.folderList": 2, "browser.download.dir": downloads },
});
const page = await browser.newPage();
const errors = [];
page.on("console", (message) => {
  if (message.type() === "error") {
    errors.push(message.text());
  }
});
page.on("dialog", (dialog) => dialog.accept()); // JupyterLab asks before it is left
page.on("pageerror", (error) => errors.push(error.stack ?? error.message));

// The element that the body of a function returns, once it does, in sight.
const found = async ({ body, arg }) => {
  const text = `((arg) => {${body}})(${JSON.stringify(arg)})`;
  const element = (await page.waitForFunction(text, { polling: 100 })).asElement();
  await element.evaluate((one) => one.scrollIntoView({ block: "center" }));
  return element;
};

// Functions come as the text of a body that sees `arg`.
const commands = {
  goto: ({ url }) => page.goto(url, { waitUntil: "load" }).then(() => null),
  js: ({ body, arg }) => page.evaluate(`((arg) => {${body}})(${JSON.stringify(arg)})`),
  wait: ({ body, arg, timeout }) =>
    page.waitForFunction(`((arg) => {${body}})(${JSON.stringify(arg)})`, { timeout, polling: 100 }).then(() => null),
  click: async ({ count, ...which }) => {
    await (await found(which)).click({ count });
  },
  drag: async ({ from, to, ...which }) => {
    const { x, y, width, height } = await (await found(which)).boundingBox();
    await page.mouse.move(x + width * from, y + height / 2);
    await page.mouse.down();
    await page.mouse.move(x + width * to, y + height / 2, { steps: 5 });
    await page.mouse.up();
  },
  leave: () => page.mouse.move(0, 0).then(() => null),
  type: async ({ text, ...which }) => {
    await (await found(which)).click({ count: 3 });
    await page.keyboard.type(text);
  },
  press: ({ key }) => page.keyboard.press(key).then(() => null),
  picture: ({ path }) => page.screenshot({ path }).then(() => null),
  errors: async () => errors.splice(0),
};

for await (const line of createInterface({ input: process.stdin })) {
  const { command, ...options } = JSON.parse(line);
  let answer;
  try {
    answer = { value: (await commands[command](options)) ?? null };
  } catch (error) {
    answer = { error: error.message };
  }
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
await browser.close();
