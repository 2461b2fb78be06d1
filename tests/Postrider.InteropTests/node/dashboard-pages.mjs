// Every page of the dashboard, light and dark, wide and narrow, in Debian's chromium, checked by axe: argument 2 is its address, argument 3 a folder for pictures or nothing.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { end, print, url } from "./story.mjs";

const pictures = process.argv[3];
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const pages = ["overview", "connections", "subscriptions", "streams", "buckets", "services", "routes", "dead-letters", "accounts"];
const profile = mkdtempSync(join(tmpdir(), "postrider-chromium-"));
const browser = await chromium.launchPersistentContext(profile, {
  executablePath: process.env.POSTRIDER_CHROMIUM ?? "/usr/bin/chromium",
  headless: true,
  viewport: { width: 1400, height: 1000 },
  args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
});
try {
  const tab = await browser.newPage();
  tab.setDefaultTimeout(30_000);
  const faults = [];
  tab.on("pageerror", (error) => faults.push(error.message));
  tab.on("console", (message) => message.type() === "error" && faults.push(message.text()));
  await tab.goto(url);
  const check = async (where) => {
    // By the debugger, which the page's own policy for scripts does not bind.
    await tab.evaluate(axe);
    const { violations } = await tab.evaluate(() => globalThis.axe.run(document, { resultTypes: ["violations"] }));
    for (const violation of violations) print(`${where}: ${violation.id}: ${violation.nodes.map((node) => node.target.join(" ")).slice(0, 3).join(", ")}`);
    return violations.length;
  };
  const open = async (page) => {
    await tab.evaluate((page) => (location.hash = page), page);
    await tab.locator(`#view-${page}`).waitFor();
    await tab.waitForFunction((page) => page === "dead-letters" || document.querySelector(`#view-${page} dl div, #view-${page} tbody tr`), page);
  };

  // everything by the keyboard: signing in, to each page by the links at the top, and into a table
  const focused = () => tab.evaluate(() => document.activeElement.id || document.activeElement.textContent);
  const tabTo = async (name) => {
    for (let i = 0; i < 60; i++) {
      if ((await focused()) === name) return true;
      await tab.keyboard.press("Tab");
    }
    return false;
  };
  await tab.locator("#sign-in").waitFor();
  print(`tab to ${await tab.locator("#sign-in").textContent()}:`, await tabTo("sign-in"));
  await tab.keyboard.press("Enter");
  await tab.locator("#outcome", { hasText: "You are signed in to the account $G" }).waitFor();
  const reached = [];
  for (const page of pages) {
    await tab.locator("body").press("Home");
    await tab.evaluate(() => document.activeElement.blur());
    reached.push(await tabTo(await tab.locator(`nav a[href="#${page}"]`).textContent()));
    await tab.keyboard.press("Enter");
    await tab.locator(`#view-${page}`).waitFor();
  }
  print("pages by keyboard:", reached.join(" "));
  await open("streams");
  print("a stream by keyboard:", await tabTo("KV_orders"));
  await tab.keyboard.press("Space");
  await tab.locator("#message-list summary").first().waitFor();
  print("a message by keyboard:", await tabTo(await tab.locator("#message-list summary").first().textContent()));
  await tab.keyboard.press("Enter");
  await tab.locator("#message-list details[open] pre").waitFor();
  await open("services");
  await tab.locator("#service-table td button", { hasText: "postrider.handlers" }).press("Enter");
  await tab.locator("#service-charts svg").first().waitFor();
  print("handlers:", (await tab.locator("#handler-table td:first-child").allTextContents()).map((name) => name.split(".").at(-1)).sort().join(" "));
  await open("routes");
  const cells = (column) => tab.locator(`#route-table td:nth-child(${column})`).allTextContents();
  const [messages, destinations, why] = [await cells(1), await cells(3), await cells(6)];
  print("routes:", messages.map((name, i) => `${name.split(".").at(-1)} to ${destinations[i]}`).sort().join(", "));
  print("why:", why[messages.findIndex((name) => name.endsWith("OrderPlaced"))]);

  // the pages, each as it is then
  let violations = 0;
  for (const scheme of ["light", "dark"]) {
    await tab.emulateMedia({ colorScheme: scheme });
    for (const width of [1400, 360]) {
      await tab.setViewportSize({ width, height: width === 360 ? 740 : 1000 });
      const fits = [];
      for (const page of pages) {
        await open(page);
        fits.push(await tab.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
        violations += await check(`${page} ${scheme} ${width}`);
        if (pictures) await tab.screenshot({ path: join(pictures, `dashboard-${page}-${scheme}-${width}.png`) });
      }
      print(scheme, width, "fits:", fits.every(Boolean));
    }
  }
  await tab.setViewportSize({ width: 1400, height: 1000 });
  await open("streams");
  await tab.locator("#purge").click();
  violations += await check("question");
  await tab.keyboard.press("Escape");
  print("violations:", violations);
  print("faults:", faults.join(" ") || "none");
} finally {
  await browser.close();
  rmSync(profile, { recursive: true, force: true });
  end();
}
