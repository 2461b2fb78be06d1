// Texts, numbers and tables of every page. Names come from clients: everything is set as text.
export const byId = (id) => document.getElementById(id);

export const number = new Intl.NumberFormat("en", { maximumFractionDigits: 1 });
const short = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });
export const count = (value) => (Math.abs(value) < 100000 ? number.format(value) : short.format(value));
export const bytes = (value) => {
  const units = ["B", "KiB", "MiB", "GiB", "TiB"];
  let unit = 0;
  while (Math.abs(value) >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit++;
  }
  return `${number.format(value)} ${units[unit]}`;
};

export const element = (name, text, attributes = {}) => {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
};

/** A button that runs an action; it cannot be pressed again before the action has ended, and failures are shown. */
export function button(text, run, attributes = {}) {
  const made = element("button", text, { type: "button", ...attributes });
  made.addEventListener("click", () => attempt(made, run));
  return made;
}

export async function attempt(control, run) {
  control.disabled = true;
  try {
    await run();
  } catch (failure) {
    tell(failure.message, true);
  } finally {
    control.disabled = false;
  }
}

/** Shows the result of an action, also to screen readers. */
export function tell(words, isBad = false) {
  const line = byId("outcome");
  line.textContent = words;
  line.className = isBad ? "bad" : "";
  line.hidden = words === "";
}

/** Asks for confirmation of a permanent action; with a name, the user must type that name. */
export function confirmed(question, name) {
  const dialog = byId("confirm");
  byId("confirm-question").textContent = question;
  const typed = byId("confirm-name");
  byId("confirm-typed").hidden = !name;
  typed.value = "";
  const yes = byId("confirm-yes");
  yes.disabled = Boolean(name);
  typed.oninput = () => (yes.disabled = Boolean(name) && typed.value !== name);
  return new Promise((resolve) => {
    dialog.onclose = () => resolve(dialog.returnValue === "yes");
    dialog.returnValue = "";
    dialog.showModal();
  });
}

// Tables: columns are [title, value for sorting, text, whether it is a number]; headings sort, by mouse and by keyboard.
const sorting = {};

/** The column by which a table is sorted, and whether downwards. */
export function orderOf(table, columns) {
  const order = (sorting[table.id] ??= { column: 0, down: false });
  if (order.column >= columns.length) Object.assign(order, { column: 0, down: false });
  return order;
}

/** Fills a table. Rows that are sorted already come in the order of orderOf. */
export function fill(table, columns, rows, key, { again, decorate, isSorted = false } = {}) {
  const order = orderOf(table, columns);
  const value = columns[order.column][1];
  const sorted = isSorted ? rows : [...rows].sort((a, b) => {
    const [x, y] = [value(a), value(b)];
    const sign = typeof x === "string" ? x.localeCompare(y) : x - y;
    return order.down ? -sign : sign;
  });
  if (!table.tHead) {
    const head = table.createTHead().insertRow();
    columns.forEach(([title, , , isNumber], i) => {
      const cell = element("th", undefined, { scope: "col", ...(isNumber && { class: "number" }) });
      const heading = element("button", title, { type: "button" });
      heading.addEventListener("click", () => {
        order.down = order.column === i ? !order.down : Boolean(isNumber);
        order.column = i;
        again();
      });
      cell.append(heading);
      head.append(cell);
    });
    table.createTBody();
  }
  [...table.tHead.rows[0].cells].forEach((cell, i) => {
    if (i === order.column) cell.setAttribute("aria-sort", order.down ? "descending" : "ascending");
    else cell.removeAttribute("aria-sort");
  });
  // Rows are reused where possible, so that focus and selection are preserved.
  const body = table.tBodies[0];
  while (body.rows.length > sorted.length) body.deleteRow(-1);
  sorted.forEach((row, i) => {
    const line = body.rows[i] ?? body.insertRow();
    line.dataset.key = key(row);
    columns.forEach(([, , text, isNumber], j) => {
      const cell = line.cells[j] ?? line.insertCell();
      const shown = text(row);
      if (isNumber) cell.className = "number";
      if (cell.dataset.made === undefined && cell.textContent !== shown) cell.replaceChildren(shown);
      cell.title = shown;
    });
    decorate?.(line, row);
  });
}

/** Puts a button into a cell; it stays as long as the row, and acts on the content that the row shows when it is pressed. */
export function buttonIn(cell, text, run, name) {
  let found = cell.querySelector("button");
  if (!found) {
    cell.dataset.made = "";
    found = button(text, () => found.run());
    cell.replaceChildren(found);
  }
  if (found.textContent !== text) found.textContent = text;
  if (name) found.setAttribute("aria-label", name);
  found.run = run;
  return found;
}

export function clear(table) {
  table.replaceChildren();
}

/** Decodes base64, also in its URL-safe form. */
export const fromBase64 = (text) => Uint8Array.from(atob((text ?? "").replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));

/** A body in a readable form: JSON with indentation, text, or bytes in hexadecimal. */
export function readable(data) {
  const MAX = 64 * 1024;
  const part = data.subarray(0, MAX);
  const more = data.length > MAX ? `\n… and ${bytes(data.length - MAX)} more` : "";
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(part);
    if (!more) {
      try {
        return JSON.stringify(JSON.parse(text), null, 2);
      } catch {
        // Not JSON.
      }
    }
    if (!/[\u0000-\u0008\u000e-\u001f]/.test(text)) return text + more;
  } catch {
    // Not text.
  }
  const rows = [];
  for (let i = 0; i < Math.min(part.length, 1024); i += 16) rows.push([...part.subarray(i, i + 16)].map((byte) => byte.toString(16).padStart(2, "0")).join(" "));
  return rows.join("\n") + (data.length > 1024 ? `\n… ${bytes(data.length)} in total` : "");
}
