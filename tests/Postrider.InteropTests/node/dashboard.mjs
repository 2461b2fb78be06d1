// The dashboard in Debian's chromium: argument 2 is its address, argument 3 a folder for pictures or nothing. The test restarts the broker when asked.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { ask, end, print, url } from "./story.mjs";

const pictures = process.argv[3];
const profile = mkdtempSync(join(tmpdir(), "postrider-chromium-"));
const browser = await chromium.launchPersistentContext(profile, {
  executablePath: process.env.POSTRIDER_CHROMIUM ?? "/usr/bin/chromium",
  headless: true,
  viewport: { width: 1400, height: 900 },
  args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
});
try {
  const tab = await browser.newPage();
  tab.setDefaultTimeout(30_000);
  const faults = [];
  let isAway = false;
  tab.on("pageerror", (error) => faults.push(error.message));
  tab.on("console", (message) => message.type() === "error" && !(isAway && /Failed to load resource/.test(message.text())) && faults.push(message.text()));
  const shot = async (name) => pictures && (await tab.screenshot({ path: join(pictures, `${name}.png`) }));
  const cells = (table, row) => tab.locator(`#${table} tbody tr`).nth(row).locator("td").allTextContents();
  const tiles = async () => Object.fromEntries(await tab.locator("#tiles div").evaluateAll((all) => all.map((tile) => [tile.children[0].textContent, tile.children[1].textContent])));

  await tab.goto(url);
  await tab.locator("#tiles div").first().waitFor();
  await tab.locator("#updates", { hasText: "pushed" }).waitFor();
  let asked = 0;
  tab.on("request", () => asked++);
  // Two readings make a rate.
  await tab.waitForFunction(() => document.querySelector("#charts polyline")?.getAttribute("points").includes(" "));
  const seen = await tiles();
  print(await tab.title(), "|", seen.Health, "|", seen.Connections, "|", seen["Slow consumers"], "| requests for the second reading:", asked);
  await shot("dashboard-overview");

  // by keyboard alone: to the second link and into it
  await tab.locator("body").press("Tab");
  print("first stop:", await tab.evaluate(() => document.activeElement.textContent));
  await tab.keyboard.press("Tab");
  await tab.keyboard.press("Tab");
  await tab.keyboard.press("Enter");
  await tab.locator("#connection-table tbody tr").first().waitFor();
  print(await tab.title(), "|", await tab.locator("nav a[aria-current]").textContent(), "|", await tab.locator("#connections-shown").textContent());
  await tab.locator("#connection-table th button", { hasText: "Name" }).press("Enter");
  await tab.locator("#connection-table th[aria-sort]", { hasText: "Name" }).waitFor();
  print("by name:", (await cells("connection-table", 0))[1], "|", (await cells("connection-table", 1))[1]);
  await tab.locator("#connection-filter").fill("hack");
  await tab.waitForFunction(() => document.querySelectorAll("#connection-table tbody tr").length === 1);
  print("filtered:", (await cells("connection-table", 0))[1], "| images made:", await tab.locator("main img").count());
  await tab.locator("#connection-filter").fill("");

  await tab.locator("nav a", { hasText: "Streams" }).click();
  await tab.locator("#stream-table tbody tr").nth(1).waitFor();
  const stream = await cells("stream-table", 1);
  print(stream[0], "|", stream[2], "messages |", stream[8], "behind");
  await tab.locator("#stream-table td button", { hasText: "ORDERS" }).press("Enter");
  await tab.locator("#consumer-table tbody tr").first().waitFor();
  print(await tab.locator("#consumers-title").textContent(), "|", (await cells("consumer-table", 0)).slice(0, 3).join(" | "));
  await shot("dashboard-streams");

  await tab.locator("nav a", { hasText: "Accounts" }).click();
  await tab.locator("#account-table tbody tr").first().waitFor();
  print("accounts:", (await tab.locator("#account-table tbody td:first-child").allTextContents()).join(" "));

  // small, and dark: nothing stands beside the window, and what is read stands out from what is behind it
  for (const scheme of ["light", "dark"]) {
    await tab.emulateMedia({ colorScheme: scheme });
    await tab.setViewportSize({ width: 360, height: 740 });
    const widths = [];
    for (const page of ["overview", "connections", "streams", "accounts"]) {
      await tab.goto(`${url}#${page}`);
      await tab.waitForFunction((page) => !document.getElementById(`view-${page}`).hidden && document.querySelector(`#view-${page} dl div, #view-${page} tbody tr`), page);
      widths.push(await tab.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
    }
    const contrast = await tab.evaluate(() => {
      const light = (colour) => {
        const [r, g, b] = colour.match(/[\d.]+/g).map((part) => part / 255).map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
      };
      const of = (text, back) => {
        const [x, y] = [light(getComputedStyle(text).color), light(getComputedStyle(back).backgroundColor)].sort((a, b) => b - a);
        return (x + 0.05) / (y + 0.05);
      };
      const header = document.querySelector("header");
      return [of(document.body, document.documentElement), of(document.querySelector("h1 small"), header), of(document.querySelector("nav a"), header)].every((ratio) => ratio >= 4.5);
    });
    await tab.goto(`${url}#overview`);
    await shot(`dashboard-360-${scheme}`);
    print(scheme, "360 px:", widths.join(" "), "| contrast:", contrast);
  }

  // the broker ends and comes back
  isAway = true;
  await ask("stop");
  await tab.locator("#trouble").waitFor();
  print("told:", (await tab.locator("#trouble").textContent()).startsWith("The broker does not respond"), "| still shown:", Object.keys(await tiles()).length);
  await ask("start");
  await tab.locator("#trouble").waitFor({ state: "hidden" });
  await tab.locator("#updates", { hasText: "pushed" }).waitFor();
  print("again:", (await tiles()).Health, "|", await tab.locator("#updates").textContent());
  print("faults:", faults.join(" ") || "none");
} finally {
  await browser.close();
  rmSync(profile, { recursive: true, force: true });
  end();
}
