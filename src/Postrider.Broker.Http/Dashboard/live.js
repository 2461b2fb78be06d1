// The monitoring pages that the open view shows: pushed by the broker when they change, and asked for while the stream of events is broken.
const SILENT_MS = 15000;
const MIN_PAUSE_MS = 2000;
const MAX_PAUSE_MS = 30000;
const SETTLE_MS = 250;

let source = null;
let followed = "";
let heardAt = -Infinity;
let pause = 0;
let pausedUntil = 0;
let opening = 0;
let isPushed = false;
let told = () => {};
const snapshots = new Map();
const shown = new Set();

/** Begins a round of the view. `pushed` is whether the broker's last event is shown; otherwise every page is asked for. */
export function begin(pushed) {
  isPushed = pushed;
  shown.clear();
}

/** The content of a monitoring page; null if the broker has no such page. */
export async function read(page) {
  shown.add(page);
  const { status, content } = (isPushed && snapshots.get(page)) || (await ask(page));
  if (status === 404) return null;
  if (status >= 400 && page !== "healthz") throw new Error(`${page.split("?")[0]}: ${status} ${String(content).slice(0, 200)}`);
  return content;
}

async function ask(page) {
  const answer = await fetch(`../${page}`, { cache: "no-store", signal: AbortSignal.timeout(10000) });
  const isJson = answer.headers.get("Content-Type")?.startsWith("application/json");
  const snapshot = { status: answer.status, content: isJson ? await answer.json() : await answer.text() };
  if (snapshots.has(page)) snapshots.set(page, snapshot);
  return snapshot;
}

/** Whether events arrive. */
export const isLive = () => source?.readyState === EventSource.OPEN && performance.now() - heardAt < SILENT_MS;

/** Ends a round that has succeeded: the broker pushes the pages that were read in it from now on. */
export function follow() {
  const names = [...shown].sort();
  const pages = names.map((page) => `page=${encodeURIComponent(page)}`).join("&");
  if (document.hidden || (source && pages === followed) || performance.now() < pausedUntil) return;
  leave();
  followed = pages;
  // Whoever types a filter changes the pages with every letter.
  opening = setTimeout(() => open(pages), SETTLE_MS);
}

/** Ends the stream, for example while the page is hidden: a browser has few connections to one host. */
export function leave() {
  clearTimeout(opening);
  source?.close();
  source = null;
  followed = "";
  snapshots.clear();
}

function open(pages) {
  const opened = new EventSource(`live?${pages}`);
  source = opened;
  heardAt = -Infinity;
  let isFirst = true;
  opened.onmessage = (event) => {
    if (opened !== source) return;
    heardAt = performance.now();
    isFirst = false;
    pause = 0;
    for (const { page, status, content } of JSON.parse(event.data).pages) {
      // Too large to be pushed: it is asked for.
      if (status === 413) snapshots.delete(page);
      else snapshots.set(page, { status, content });
    }
    told();
  };
  opened.onerror = () => {
    if (opened !== source) return;
    // A stream that never began was refused, or something between here and the broker does not let it through.
    if (isFirst) {
      pause = Math.min(MAX_PAUSE_MS, Math.max(MIN_PAUSE_MS, 2 * pause));
      pausedUntil = performance.now() + pause;
    }
    leave();
    told();
  };
}

/** Prepares the stream. `changed` is called when an event has arrived, and when the stream has broken. */
export function prepareLive(changed) {
  told = changed;
}
