// Everything works without this file. It makes pages live, adds keys, and keeps times true.
"use strict";

const $ = (selector, root = document) => root.querySelector(selector);
const $$ = (selector, root = document) => [...root.querySelectorAll(selector)];

// ---- Times: the monitor's clock may run faster than the real one, so the page carries both.

const clock = { shown: Number(document.documentElement.dataset.now), at: performance.now(), speed: Number(document.documentElement.dataset.speed) || 1 };
const now = () => clock.shown + (performance.now() - clock.at) * clock.speed;
const UNITS = [[31536000, "year"], [2592000, "month"], [86400, "day"], [3600, "hour"], [60, "minute"], [1, "second"]];

function inWords(time) {
  const span = (new Date(time.dateTime).getTime() - now()) / 1000;
  const seconds = Math.floor(Math.abs(span));
  if (seconds < 5) return "just now";
  const [size, unit] = UNITS.find(([size]) => seconds >= size);
  const n = Math.floor(seconds / size);
  const words = `${n.toLocaleString("en").replaceAll(",", "\u202f")} ${unit}${n === 1 ? "" : "s"}`;
  return span < 0 ? `${words} ago` : `in ${words}`;
}

function tick() {
  for (const time of $$("time")) {
    const words = inWords(time);
    if (time.textContent !== words) time.textContent = words;
  }
}

if (clock.shown) setInterval(tick, Math.max(1000, 10000 / clock.speed));

// ---- Live: on a change, fetch the page again and exchange its live parts.

let stream = null;
let change = document.documentElement.dataset.change;
let stale = false;
let fetching = false;

async function refresh() {
  if (fetching) return;
  // A list must not move under the reader's eyes: offer the news instead.
  const offer = $("#news");
  if (offer && window.scrollY > 150) { offer.hidden = false; return; }
  fetching = true;
  stale = false;
  try {
    const answer = await fetch(location.href, { headers: { accept: "text/html" } });
    if (!answer.ok || answer.redirected) return;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    exchange(page);
    if (offer) offer.hidden = true;
  } catch { /* the stream says when we are back */ } finally {
    fetching = false;
  }
}

function exchange(page) {
  change = page.documentElement.dataset.change;
  clock.shown = Number(page.documentElement.dataset.now);
  clock.at = performance.now();
  const ticked = new Set($$("[name=id]:checked").map((box) => box.value));
  const chosen = current()?.dataset.id;
  for (const part of $$("[data-live]")) {
    const fresh = page.getElementById(part.id);
    if (fresh) keepUnfolded(part, fresh);
    if (!fresh || part.contains(document.activeElement) && document.activeElement.matches("input:not([type=checkbox]), textarea, select")) continue;
    if (part.innerHTML === fresh.innerHTML) continue;
    const focused = part.contains(document.activeElement) ? likeness(document.activeElement) : null;
    part.replaceChildren(...document.adoptNode(fresh).childNodes);
    if (focused) $(focused, part)?.focus({ preventScroll: true });
  }
  for (const box of $$("[name=id]")) box.checked ||= ticked.has(box.value);
  if (chosen) choose($(`.item[data-id="${chosen}"]`), false);
}

// What tells an element from the others of its page, so that the keyboard stays on it.
function likeness(element) {
  if (element.id) return `#${CSS.escape(element.id)}`;
  const home = element.closest("[id]:not([data-live])");
  const within = home ? `#${CSS.escape(home.id)} ` : "";
  const named = ["href", "name", "value", "class"].filter((name) => element.hasAttribute(name) && !(name === "value" && element.matches(".mark")));
  return within + element.localName + named.map((name) => `[${name}="${CSS.escape(element.getAttribute(name))}"]`).join("");
}

// What was unfolded stays so, with what was fetched for it.
function keepUnfolded(part, fresh) {
  for (const old of $$("details[id]", part)) {
    const now = fresh.querySelector(`#${CSS.escape(old.id)}`);
    if (!now) continue;
    now.open = old.open;
    if (!now.dataset.fetch || old.dataset.fetch) continue;
    now.removeAttribute("data-fetch");
    now.replaceChildren(now.firstElementChild, ...[...old.children].slice(1).map((child) => child.cloneNode(true)));
  }
}

// A part of a tree that is fetched when it is unfolded: the same part of the page it leads to.
document.addEventListener("toggle", async ({ target }) => {
  const from = target.open && target.dataset?.fetch;
  if (!from) return;
  target.removeAttribute("data-fetch");
  const answer = await fetch(from, { headers: { accept: "text/html" } });
  if (!answer.ok) { target.dataset.fetch = from; return; }
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const inner = $("#exceptions .tree", page);
  if (inner) $("ul", target).replaceChildren(...document.adoptNode(inner).childNodes);
}, true);

function follow() {
  if (!$("[data-live]") || stream) return;
  stream = new EventSource("/api/v1/stream");
  let due = null;
  stream.addEventListener("change", ({ data }) => {
    // The first event says where things stand: often just where this page does.
    if (data === change) return;
    stale = true;
    due ??= setTimeout(() => { due = null; refresh(); }, 300);
  });
}

// Browsers allow few connections a host: a page nobody looks at gives its own back.
document.addEventListener("visibilitychange", () => {
  if (document.hidden) { stream?.close(); stream = null; return; }
  follow();
});
window.addEventListener("pagehide", () => stream?.close());
window.addEventListener("scroll", () => { if (stale && window.scrollY <= 150 && $("#news:not([hidden])")) refresh(); }, { passive: true });
if (!document.hidden) follow();

// ---- Marks: the buttons are forms; with a script they need no new page.

async function mark(item, change) {
  const answer = await fetch(`/api/v1/articles/${item.dataset.id}`, {
    method: "PATCH", headers: { "content-type": "application/json" }, body: JSON.stringify(change),
  });
  if (!answer.ok) { location.reload(); return; }
  const { read, starred } = await answer.json();
  show(item, read, starred);
}

function show(item, read, starred) {
  item.toggleAttribute("data-read", read);
  item.toggleAttribute("data-starred", starred);
  if (item.matches(".item")) item.classList.toggle("unread", !read);
  const press = (button, on, words) => {
    button.setAttribute("aria-pressed", on);
    button.value = on ? 0 : 1;
    button.title = words;
    button.setAttribute("aria-label", words);
  };
  press($(".mark.star", item), starred, starred ? "Remove the star" : "Star");
  press($(".mark.tick", item), read, read ? "Mark as unread" : "Mark as read");
}

const toggle = (item, name) => mark(item, { [name]: !item.hasAttribute(`data-${name}`) });

document.addEventListener("submit", (event) => {
  const item = event.target.matches(".marks") && event.target.closest("[data-id]");
  if (!item || !event.submitter) return;
  event.preventDefault();
  toggle(item, event.submitter.name);
});

const opened = $("[data-open]");
if (opened && !opened.hasAttribute("data-read")) setTimeout(() => mark(opened, { read: true }), 800);

// ---- Small helpers.

document.addEventListener("change", (event) => {
  if (event.target.matches("[data-submit]")) event.target.form.requestSubmit();
  if (event.target.matches("[data-all]")) for (const box of $$("[name=id]")) box.checked = event.target.checked;
});

// A chosen file fills a text field: forms send text only.
for (const label of $$("[data-scripted]")) label.hidden = false;
document.addEventListener("change", async ({ target }) => {
  const field = target.dataset?.into && $(target.dataset.into);
  if (field && target.files[0]) field.value = await target.files[0].text();
});

// ---- A form that shows what it would find while one types. The server asks the site once and keeps the page a while.

const tried = $("form[data-preview]");
if (tried) {
  let due = null;
  let asked = 0;
  const look = async () => {
    const fields = new URLSearchParams(new FormData(tried));
    fields.set("only", "preview");
    const turn = ++asked;
    $("#seen").setAttribute("aria-busy", "true");
    try {
      const answer = await fetch(tried.dataset.preview, { method: "POST", body: fields });
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      // A later answer is on its way: this one is of what was typed before.
      if (turn === asked) $("#seen").replaceChildren(...document.adoptNode(page.body).childNodes);
    } catch { /* the button still works */ } finally {
      if (turn === asked) $("#seen").removeAttribute("aria-busy");
    }
  };
  const soon = ({ target }) => {
    if (!target.matches("[name=what], [name=of], [name=within], [name=ignore]") || !tried.checkValidity()) return;
    clearTimeout(due);
    due = setTimeout(look, 500);
  };
  tried.addEventListener("input", soon);
  // Half an address is another address: it is looked at when it is finished.
  tried.addEventListener("change", ({ target }) => { if (target.matches("[name=url]") && tried.checkValidity()) look(); });
  if (tried.checkValidity()) look();
}

// ---- Keys.

const items = () => $$(".item");
const current = () => $(".item.current");

function choose(item, scroll = true) {
  current()?.classList.remove("current");
  if (!item) return;
  item.classList.add("current");
  if (scroll) item.scrollIntoView({ block: "nearest" });
}

function step(by) {
  const all = items();
  const at = all.indexOf(current());
  choose(all[Math.min(Math.max(at + by, 0), all.length - 1)] ?? all[0]);
}

// Only articles have marks.
const target = () => current() && !$(".marks", current()) ? null : current() ?? opened;

function file() {
  if (current()?.matches("[id^=a]")) location.href = `/articles/${current().dataset.id}/teach`;
  else $("[data-key=f]")?.click();
}

// On a list only the chosen row is judged, on a page of one thing that thing: never whatever happens to be on top.
const judge = (key) => {
  const marks = current() ? [$(`[data-key=${key}]`, current())] : [...document.querySelectorAll(`[data-key=${key}]`)];
  if (marks.length === 1) marks[0]?.click();
};

const KEYS = {
  j: () => step(1),
  k: () => step(-1),
  o: () => $(".title", current() ?? document)?.click(),
  Enter: () => current() && $(".title", current()).click(),
  v: () => target() && $("a[target=_blank]", target())?.click(),
  m: () => target() && toggle(target(), "read"),
  s: () => target() && toggle(target(), "starred"),
  f: () => file(),
  c: () => judge("c"),
  d: () => judge("d"),
  u: () => $("#undo")?.click(),
  "/": () => $("input[type=search]")?.focus(),
  "?": () => $("#keys").showModal(),
  Escape: () => choose(null),
};
const GO = { a: "/", e: "/events", f: "/folders", r: "/rules", v: "/review", s: "/sources", p: "/plan", c: "/crawls", t: "/notifications", w: "/watches", h: "/health", n: "/sources/add" };
let going = 0;

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || $("dialog[open]")) return;
  if (event.target.matches("input, textarea, select")) { if (event.key === "Escape") event.target.blur(); return; }
  if (event.key === "Enter" && event.target.matches("a, button, summary")) return;
  if (going > performance.now() && GO[event.key]) { location.href = GO[event.key]; return; }
  if (event.key === "g") { going = performance.now() + 1500; return; }
  const act = KEYS[event.key];
  if (!act) return;
  event.preventDefault();
  act();
});
