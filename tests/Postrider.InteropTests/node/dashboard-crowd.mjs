// A dashboard with ten thousand connections, in Debian's chromium: argument 2 is its address.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { end, print, url } from "./story.mjs";

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
  const shown = async (words) => {
    await tab.locator("#connections-shown", { hasText: words }).waitFor();
    return tab.locator("#connections-shown").textContent();
  };
  const first = (column) => tab.locator("#connection-table tbody tr").first().locator("td").nth(column).textContent();
  // nothing is pushed, as behind a proxy that collects responses
  await tab.route("**/dashboard/live?*", (route) => route.abort());
  await tab.goto(`${url}#connections`);
  print(await shown("1 to 200 of"), "| rows:", await tab.locator("#connection-table tbody tr").count());
  await tab.locator("#connections-on").click();
  print(await shown("201 to 400"));
  // the whole is sorted and searched, not the page
  await tab.locator("#connection-table th button", { hasText: "Name" }).click();
  await tab.locator("#connection-table th[aria-sort=ascending]", { hasText: "Name" }).waitFor();
  await tab.locator("#connection-table th button", { hasText: "Name" }).click();
  await tab.locator("#connection-table th[aria-sort=descending]", { hasText: "Name" }).waitFor();
  await tab.locator("#connection-filter").fill("client-0");
  print(await shown("1 to 200 of 1000 that match"));
  await tab.waitForFunction(() => document.querySelector("#connection-table tbody td:nth-child(2)").textContent === "client-0999");
  print("last by name:", await first(1));
  await tab.locator("#connection-filter").fill("client-9998");
  await tab.waitForFunction(() => document.querySelectorAll("#connection-table tbody tr").length === 1);
  print(await shown("1 to 1 of 1 that match"), "|", await first(1));
  await tab.locator("#connection-filter").fill("nothing is called so");
  print(await shown("0 to 0 of 0"), "|", await tab.locator("#updates").textContent());
} finally {
  await browser.close();
  rmSync(profile, { recursive: true, force: true });
  end();
}
