// The user who is signed in on this page. Nothing is stored: after a reload of the page, the user signs in again.
import { Connection, Refusal, readCredentials } from "./nats.js";
import { attempt, byId, tell } from "./elements.js";

/** The connection and its user, or null while nobody is signed in. */
export let session = null;

let access = null;
let changed = () => {};

/** Whether this session may act on the streams of an account. */
export const owns = (account) => session?.account === account;

/** Reads whether actions are allowed from this page, and offers to sign in. Called again after the broker was unreachable. */
export async function offer(serverId) {
  if (access?.server_id === serverId) return;
  const answer = await fetch("access", { cache: "no-store", signal: AbortSignal.timeout(10000) });
  access = await answer.json();
  show();
}

function show() {
  byId("sign-in").hidden = Boolean(session) || !access?.allowed;
  byId("sign-out").hidden = !session;
  byId("who").textContent = session ? [session.user, `account ${session.account}`].filter(Boolean).join(", ") : "";
  byId("only-shows").hidden = access === null || access.allowed;
  byId("only-shows-why").textContent = access?.reason ?? "";
  document.body.classList.toggle("acts", Boolean(session));
}

async function signIn(credentials) {
  const address = new URL("nats", location.href);
  address.protocol = address.protocol.replace("http", "ws");
  address.hash = "";
  const connection = await Connection.open(address, credentials, (reason) => {
    session = null;
    show();
    changed();
    tell(`You are signed out: ${reason}`, true);
  });
  try {
    const { data } = await connection.call("$SYS.REQ.USER.INFO");
    session = { connection, user: data.user ?? "", account: data.account };
  } catch (failure) {
    connection.close();
    throw new Refusal(`Signed in, but the broker did not report the user: ${failure.message}`);
  }
  show();
  changed();
  tell(`You are signed in ${session.user ? `as ${session.user} ` : ""}to the account ${session.account}, with the permissions of this client.`);
}

function credentialsOf(form) {
  const file = form.get("file").trim();
  if (file) return readCredentials(file);
  const token = form.get("token").trim();
  if (token) return { token };
  const user = form.get("user").trim();
  if (!user) throw new Refusal("Enter a user and a password, a token, or the content of a credentials file.");
  return { user, password: form.get("password") };
}

/** Prepares the controls. `onChange` is called when the user has signed in or out. */
export function prepare(onChange) {
  changed = onChange;
  const dialog = byId("sign-in-dialog");
  const form = byId("sign-in-form");
  byId("sign-in").addEventListener("click", () => {
    if (!access.credentials) {
      attempt(byId("sign-in"), () => signIn({}));
      return;
    }
    byId("sign-in-problem").textContent = "";
    dialog.showModal();
  });
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    byId("sign-in-go").disabled = true;
    try {
      await signIn(credentialsOf(new FormData(form)));
      form.reset();
      dialog.close();
    } catch (failure) {
      byId("sign-in-problem").textContent = failure.message;
    } finally {
      byId("sign-in-go").disabled = false;
    }
  });
  byId("sign-in-cancel").addEventListener("click", () => dialog.close());
  dialog.addEventListener("close", () => form.reset());
  byId("sign-out").addEventListener("click", () => {
    session?.connection.close();
    session = null;
    show();
    changed();
    tell("You are signed out.");
  });
}
