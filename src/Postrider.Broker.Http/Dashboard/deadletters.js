// Dead letters of the transports whose process serves them over NATS (AddDeadLetterService).
import { attempt, button, byId, confirmed, element, readable, tell } from "./elements.js";
import { session } from "./session.js";

const PAGE = 50;
const ASKED_EVERY = 5;
let after = null;
let round = 0;

const source = () => ({ transport: byId("dead-transport").value.trim(), source: byId("dead-source").value.trim() });

export async function showDeadLetters() {
  byId("dead-sign-in").hidden = Boolean(session);
  byId("dead").hidden = !session;
  if (session && round++ % ASKED_EVERY === 0) await showSources();
}

// Where the bindings of applications put their dead letters. Others are typed.
async function showSources() {
  const { sources } = await session.connection.call("postrider.deadletters.sources").catch(() => ({ sources: [] }));
  const shown = byId("dead-sources");
  const key = JSON.stringify(sources);
  byId("dead-offered").hidden = sources.length === 0;
  if (shown.dataset.key === key) return;
  shown.dataset.key = key;
  shown.replaceChildren(...sources.map(({ transport, source }) => {
    const item = element("li");
    item.append(button(`${source} (${transport})`, async () => {
      byId("dead-transport").value = transport;
      byId("dead-source").value = source;
      after = null;
      await list(false);
    }));
    return item;
  }));
}

/** Asks for the sources again: another user has signed in. */
export function forgetDeadLetters() {
  round = 0;
  after = null;
  byId("dead-list").replaceChildren();
  byId("dead-shown").textContent = "";
}

async function list(isNext) {
  const reason = byId("dead-reason").value;
  const answer = await session.connection.call("postrider.deadletters.list", { ...source(), max: PAGE, ...(reason && { reason }), ...(isNext && after && { after }) });
  const letters = answer.letters ?? answer.items ?? [];
  after = answer.next ?? null;
  byId("dead-on").disabled = !after;
  byId("dead-shown").textContent = letters.length === 0 ? "There are no dead letters." : `${letters.length} shown.`;
  byId("dead-list").replaceChildren(...letters.map(line));
}

function line(letter) {
  const made = element("details", undefined, { "data-id": letter.id });
  const head = element("summary");
  head.append(element("b", letter.id), " ", element("span", letter.origin ?? "", { class: "subject" }), " ", element("span", [letter.reason, letter.error].filter(Boolean).join(": "), { class: "soft" }));
  made.append(head);
  made.addEventListener("toggle", async () => {
    if (!made.open || made.children.length > 1) return;
    try {
      const whole = await session.connection.call("postrider.deadletters.show", { ...source(), id: letter.id });
      made.append(element("pre", readable(new TextEncoder().encode(JSON.stringify(whole))), { tabindex: "0" }));
      const keys = element("p", undefined, { class: "pager" });
      keys.append(button("Send back", () => act("redrive", { id: letter.id }, `Send ${letter.id} back to where it failed?`)), button("Delete", () => act("purge", { id: letter.id }, `Delete the dead letter ${letter.id} permanently?`)));
      made.append(keys);
    } catch (failure) {
      tell(failure.message, true);
    }
  });
  return made;
}

async function act(verb, query, question) {
  if (!(await confirmed(question))) return;
  const answer = await session.connection.call(`postrider.deadletters.${verb}`, { ...source(), ...query });
  tell(verb === "redrive" ? `Sent back: ${answer.count}.` : `Deleted: ${answer.count}.`);
  after = null;
  await list(false);
}

export function prepareDeadLetters() {
  byId("dead-query").addEventListener("submit", (event) => {
    event.preventDefault();
    after = null;
    attempt(byId("dead-go"), () => list(false));
  });
  byId("dead-on").addEventListener("click", (event) => attempt(event.currentTarget, () => list(true)));
  byId("dead-redrive-all").addEventListener("click", (event) => {
    const reason = byId("dead-reason").value;
    attempt(event.currentTarget, () => act("redrive", reason ? { reason } : { all: true }, `Send back all dead letters of ${source().source}${reason ? ` with the reason ${reason}` : ""}?`));
  });
}
