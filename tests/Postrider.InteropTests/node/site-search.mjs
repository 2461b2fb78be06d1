// The search of the documentation's site, from a disk, in Debian's chromium: argument 2 is the address of a page.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { end, print, url } from "./story.mjs";

const profile = mkdtempSync(join(tmpdir(), "postrider-chromium-"));
const browser = await chromium.launchPersistentContext(profile, {
  executablePath: process.env.POSTRIDER_CHROMIUM ?? "/usr/bin/chromium",
  headless: true,
  args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
});
try {
  const tab = await browser.newPage();
  tab.setDefaultTimeout(30_000);
  const faults = [];
  tab.on("pageerror", (error) => faults.push(error.message));
  tab.on("console", (message) => message.type() === "error" && faults.push(message.text()));
  await tab.goto(url);
  const found = tab.locator("#found li");
  const isShown = () => tab.locator("#found").isVisible();
  print("before:", await isShown());

  // by the keyboard: into the field, a word, its first place; Chromium drops keys until it has painted a page, so the key is pressed until it counts
  await tab.bringToFront();
  for (let presses = 0, counts = false; !counts && presses < 15; presses++) {
    await tab.locator("body").press("/");
    counts = await tab.waitForFunction(() => document.activeElement.id === "search", null, { timeout: 2_000 }).then(() => true, () => false);
  }
  print("slash leads to:", await tab.evaluate(() => document.activeElement.id));
  await tab.locator("#search").fill("");
  await tab.keyboard.type("Dead LETTERS");
  await found.first().waitFor();
  print("found:", (await found.count()) > 1, "| all have a word:", (await found.allTextContents()).every((text) => /dead/i.test(text)));
  const link = found.first().locator("a");
  print("first in a heading:", /dead letters/i.test(await link.textContent()));
  await tab.keyboard.press("Escape");
  print("after Escape:", await isShown());
  await tab.locator("#search").fill("no such words anywhere qqq");
  await tab.locator("#found", { hasText: "Nothing was found." }).waitFor();
  print(await found.first().textContent());

  // markup in a text is shown, not run
  await tab.locator("#search").fill("<img src=x onerror=alert(1)>");
  await tab.locator("#found", { hasText: "Nothing was found." }).waitFor();
  print("images made:", await tab.locator("#found img").count());
  await tab.locator("#search").fill("dead letters");
  await link.waitFor();
  await link.click();
  await tab.waitForURL((address) => address.href !== url);
  print("the link leads to a page:", (await tab.locator("h1").count()) > 0);
  print("faults:", faults.join(" ") || "none");
} finally {
  await browser.close();
  rmSync(profile, { recursive: true, force: true });
  end();
}
