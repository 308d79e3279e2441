// The teaching page. The form holds everything and works without this file; this makes words clickable and the
// answer immediate. Uses $ and $$ of app.js, which is loaded before.
"use strict";

{
  const form = $("#teach");
  const words = $$(".words .w");
  const live = () => $("#live");

  // ---- Asking: every change sends the whole form; only the newest answer counts.

  let asked = 0;
  let due = null;
  let deedUnderWay = null;

  // An answer to an earlier state would put that state back: from the change on, it no longer counts.
  const soon = () => { asked += 1; clearTimeout(due); due = setTimeout(() => ask(), 50); };

  async function ask(deed) {
    clearTimeout(due);
    const number = ++asked;
    const data = new URLSearchParams(new FormData(form));
    if (deed) data.set("deed", deed);
    live().setAttribute("aria-busy", "true");
    try {
      const answer = await fetch(form.dataset.preview, { method: "POST", body: data });
      const html = await answer.text();
      if (number !== asked) return;
      const fresh = new DOMParser().parseFromString(html, "text/html").getElementById("live");
      // Anything else is a refusal: the whole page tells it.
      if (fresh) show(fresh); else form.submit();
    } catch {
      // No answer at all: what was picked stays, and is asked about again.
      if (number !== asked) return;
      live().dataset.silent = "";
      due = setTimeout(() => ask(deed), 1000);
    }
  }

  const place = (element) => {
    const alike = $$(`[name="${element.name}"]`, live());
    return { name: element.name, value: element.value, checkable: element.type === "checkbox" || element.tagName === "BUTTON", at: alike.indexOf(element) };
  };

  function show(fresh) {
    const focused = live().contains(document.activeElement) && document.activeElement.name ? document.activeElement : null;
    const was = focused && place(focused);
    const typed = focused?.matches("input[type=text]") ? focused.value : null;
    const open = new Map($$("details[id]", live()).map((part) => [part.id, part.open]));
    live().replaceWith(document.adoptNode(fresh));
    for (const part of $$("details[id]", live())) if (open.has(part.id)) part.open = open.get(part.id);
    if (was) {
      const alike = $$(`[name="${was.name}"]`, live());
      const again = was.checkable ? alike.find((other) => other.value === was.value) : alike[was.at];
      if (again && typed !== null && again.name === "note") again.value = typed;
      again?.focus({ preventScroll: true });
    }
    mark();
  }

  // ---- Marks on the words that the picked literals are found in.

  function mark() {
    for (const word of words) {
      if (!word.dataset.by) continue;
      word.classList.remove("has");
      delete word.dataset.by;
      word.row = null;
      word.removeAttribute("aria-pressed");
    }
    // Rows come and go between answers: a word remembers its row, not the row's number.
    const picked = rows();
    for (const [literal, field, places] of JSON.parse(live().dataset.marks || "[]")) {
      const there = $$(`.words[data-field="${field}"] .w`);
      for (const at of places) {
        there[at]?.classList.add("has");
        there[at]?.setAttribute("aria-pressed", "true");
        if (there[at]) { there[at].dataset.by = literal; there[at].row = picked[literal]; }
      }
    }
  }

  // ---- Picking.

  const rows = () => $$("#literals .literal:not(.typed)");
  const said = (row) => Object.fromEntries(["field", "polarity", "word", "mode"].map((name) => [name, $(`[name=${name}]`, row).value]));

  async function pick(field, polarity, mode, text) {
    await deedUnderWay;
    const known = rows().find((row) => { const s = said(row); return s.field === field && s.word === text; });
    if (known && said(known).polarity === polarity) known.remove();
    else if (known) $("[name=polarity]", known).value = polarity;
    else add(field, polarity, mode, text);
    soon();
  }

  function add(field, polarity, mode, text) {
    const row = $("#row").content.firstElementChild.cloneNode(true);
    $("[name=field]", row).value = field;
    $("[name=polarity]", row).value = polarity;
    $("[name=word]", row).value = text;
    $(".word", row).textContent = text;
    $("[name=mode]", row).value = mode;
    row.classList.toggle("lacks", polarity === "lacks");
    $("#literals").insertBefore(row, $("#literals .typed"));
  }

  const fieldOf = (word) => word.closest(".words").dataset.field;

  function pickWord(word, lacking) {
    const by = word.row?.isConnected ? word.row : null;
    if (by && !lacking) { by.remove(); unmark(word); soon(); return; }
    const text = word.dataset.w;
    if (lacking) { lack(word, text); return; }
    word.classList.add("has");
    word.dataset.by = "new";
    pick(fieldOf(word), "has", text.includes(" ") ? "phrase" : "exact", text);
  }

  function unmark(word) { word.classList.remove("has"); word.removeAttribute("aria-pressed"); delete word.dataset.by; word.row = null; }

  // A rule can only lack what its article lacks: a word of the title may be lacking in the body, and the other way round.
  function lack(word, text) {
    const field = fieldOf(word);
    const other = { title: "body", body: "title" }[field];
    const there = other && $(`.words[data-field=${other}]`);
    const elsewhere = there && !$$(".w", there).some((w) => w.dataset.w === text);
    pick(elsewhere ? other : field, "lacks", text.includes(" ") ? "phrase" : "exact", text);
  }

  // ---- Several words: a phrase, chosen by mouse or by shift and arrows.

  const offer = $("#phrase");
  let chosen = [];

  function choose(list) {
    for (const word of chosen) word.classList.remove("chosen");
    chosen = list;
    for (const word of chosen) word.classList.add("chosen");
    offer.hidden = chosen.length < 2;
    if (offer.hidden) return;
    const last = chosen.at(-1).getBoundingClientRect();
    $("button", offer).textContent = `Pick the phrase “${chosen.map((w) => w.textContent).join(" ")}”`;
    offer.style.top = `${last.bottom + window.scrollY + 6}px`;
    offer.style.left = `${Math.max(8, Math.min(last.left + window.scrollX, document.documentElement.clientWidth - offer.offsetWidth - 8))}px`;
  }

  function pickChosen() {
    const [first] = chosen;
    if (!first) return;
    pick(fieldOf(first), "has", "phrase", chosen.map((word) => word.dataset.w).join(" "));
    choose([]);
    getSelection().removeAllRanges();
  }

  $("button", offer).addEventListener("click", pickChosen);
  document.addEventListener("selectionchange", () => {
    const selection = getSelection();
    if (selection.isCollapsed || !selection.rangeCount) return;
    const start = selection.getRangeAt(0).commonAncestorContainer;
    const field = (start.nodeType === 1 ? start : start.parentElement).closest(".words");
    if (!field) return;
    const inside = $$(".w", field).filter((word) => selection.containsNode(word, true));
    if (inside.length > 1 && inside.length <= 20) choose(inside);
  });

  // ---- Clicks.

  document.addEventListener("click", (event) => {
    const suggested = event.target.closest("[data-pick]");
    if (suggested) {
      const { field, polarity, mode, w } = suggested.dataset;
      pick(field, polarity, mode, w);
      return;
    }
    const word = event.target.closest(".words .w");
    if (word) {
      if (!getSelection().isCollapsed && chosen.length > 1) return;
      roam(word);
      choose([]);
      pickWord(word, event.shiftKey);
      return;
    }
    if (event.target.closest(".take-back")) {
      event.target.closest(".literal").remove();
      soon();
    } else if (!event.target.closest("#phrase")) {
      choose([]);
    }
  });
  // Shift and a click would select text.
  document.addEventListener("mousedown", (event) => { if (event.shiftKey && event.target.closest(".words")) event.preventDefault(); });

  form.addEventListener("change", (event) => {
    if (event.target.name === "note") return;
    soon();
  });
  form.addEventListener("submit", (event) => {
    const deed = event.submitter?.value ?? "preview";
    if (deed.startsWith("commit")) return;
    event.preventDefault();
    deedUnderWay = ask(deed).finally(() => { deedUnderWay = null; });
  });

  // ---- Folders: type to find, arrows to choose, Enter to take; what is not there can be made.

  const to = $("#to");
  const list = $("#folder-list");
  const paths = $$("#folder-paths option").map((option) => option.value);
  to.removeAttribute("list");
  to.setAttribute("role", "combobox");
  to.setAttribute("aria-controls", "folder-list");
  to.setAttribute("aria-autocomplete", "list");
  let at = -1;

  const fold = (text) => text.toLocaleLowerCase().normalize("NFKD").replace(/\p{M}/gu, "");

  function found(typed) {
    const parts = fold(typed).split(/[\s/]+/).filter(Boolean);
    const rank = (path) => {
      const name = fold(path);
      const last = name.split("/").at(-1);
      return name === fold(typed) ? 0 : last.startsWith(parts.at(-1)) ? 1 : name.startsWith(parts[0]) ? 2 : 3;
    };
    const fitting = paths.filter((path) => parts.every((part) => fold(path).includes(part)));
    return parts.length ? fitting.sort((a, b) => rank(a) - rank(b) || a.localeCompare(b)) : fitting;
  }

  function option(path, label, depth) {
    const item = document.createElement("li");
    item.setAttribute("role", "option");
    item.id = `folder-${list.childElementCount}`;
    item.dataset.path = path;
    item.dir = "auto";
    item.textContent = label;
    if (depth) item.dataset.depth = Math.min(depth, 6);
    list.append(item);
  }

  function open() {
    const typed = to.value.trim();
    const tree = !typed || paths.includes(typed);
    list.replaceChildren();
    for (const path of tree ? paths : found(typed)) {
      const depth = path.split("/").length - 1;
      option(path, tree ? path.split("/").at(-1) : path, tree ? depth : 0);
    }
    if (typed && !paths.includes(typed)) option(typed, `Create “${typed}”`, 0);
    list.hidden = !list.childElementCount;
    to.setAttribute("aria-expanded", String(!list.hidden));
    point(typed && !tree ? 0 : -1);
  }

  function point(next) {
    const all = [...list.children];
    at = all.length ? Math.max(-1, Math.min(next, all.length - 1)) : -1;
    all.forEach((item, index) => item.setAttribute("aria-selected", String(index === at)));
    all[at]?.scrollIntoView({ block: "nearest" });
    if (at >= 0) to.setAttribute("aria-activedescendant", all[at].id); else to.removeAttribute("aria-activedescendant");
  }

  function close() { list.hidden = true; to.setAttribute("aria-expanded", "false"); to.removeAttribute("aria-activedescendant"); at = -1; }

  function take(path) {
    to.value = path;
    close();
    soon();
  }

  to.addEventListener("focus", open);
  to.addEventListener("input", open);
  to.addEventListener("blur", () => setTimeout(close, 150));
  list.addEventListener("mousedown", (event) => {
    event.preventDefault();
    const item = event.target.closest("[data-path]");
    if (item) take(item.dataset.path);
  });
  to.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown") { event.preventDefault(); if (list.hidden) open(); point(at + 1); }
    else if (event.key === "ArrowUp") { event.preventDefault(); point(at - 1); }
    else if (event.key === "Enter" && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      take(list.children[at]?.dataset.path ?? to.value.trim());
      focusWords();
    } else if (event.key === "Escape") { event.stopPropagation(); if (list.hidden) to.blur(); else close(); }
  });

  // ---- Words by keyboard: one of them is in the tab order, arrows move it.

  let here = null;
  for (const word of words) { word.tabIndex = -1; word.setAttribute("role", "button"); }

  function roam(word, focus = true) {
    if (!word) return;
    if (here) here.tabIndex = -1;
    here = word;
    here.tabIndex = 0;
    if (focus) here.focus();
  }
  roam(words[0], false);
  const focusWords = () => roam(here);

  function beside(word, by) { return words[words.indexOf(word) + by]; }

  function line(word, by) {
    const from = word.getBoundingClientRect();
    let best = null;
    for (let next = beside(word, by); next; next = beside(next, by)) {
      const box = next.getBoundingClientRect();
      if (Math.abs(box.top - from.top) < from.height / 2) continue;
      if (best && Math.abs(box.top - best.top) > best.height / 2) break;
      const off = Math.abs(box.left + box.width / 2 - from.left - from.width / 2);
      if (!best || off < best.off) best = { word: next, off, top: box.top, height: box.height };
    }
    return best?.word;
  }

  let anchor = null;
  function extend(next) {
    if (!next || next.closest(".words") !== here.closest(".words")) return;
    anchor ??= here;
    roam(next);
    const [from, until] = [words.indexOf(anchor), words.indexOf(next)].sort((a, b) => a - b);
    choose(words.slice(from, until + 1));
  }

  function moved(next) { anchor = null; choose([]); roam(next); }

  const MOVES = {
    ArrowRight: (word) => beside(word, 1), ArrowLeft: (word) => beside(word, -1),
    ArrowDown: (word) => line(word, 1), ArrowUp: (word) => line(word, -1),
  };

  function onWord(event, word) {
    if (MOVES[event.key]) {
      const rightToLeft = getComputedStyle(word.closest(".words")).direction === "rtl";
      const key = rightToLeft && { ArrowRight: "ArrowLeft", ArrowLeft: "ArrowRight" }[event.key] || event.key;
      const next = MOVES[key](word);
      if (event.shiftKey) extend(next); else moved(next);
      return true;
    }
    if (event.key === "Enter" || event.key === " ") {
      if (chosen.length > 1) pickChosen(); else pickWord(word, event.shiftKey);
      anchor = null;
      return true;
    }
    if (event.key === "l") { pickWord(word, true); return true; }
    if (event.key === "Escape") { moved(word); return true; }
    return false;
  }

  const commit = () => $("[value=commit]:not([disabled])", form)?.click();

  document.addEventListener("keydown", (event) => {
    if ($("dialog[open]")) return;
    const done = () => { event.preventDefault(); event.stopImmediatePropagation(); };
    if ((event.ctrlKey || event.metaKey) && event.key === "Enter") { done(); commit(); return; }
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.matches("input:not([type=radio], [type=checkbox]), textarea, select")) return;
    const word = event.target.closest?.(".words .w");
    if (word && onWord(event, word)) { done(); return; }
    const act = { c: commit, u: () => $("#undo")?.click(), w: focusWords, "/": () => to.focus(), "?": () => $("#teach-keys").showModal() }[event.key];
    if (act) { done(); act(); }
  }, true);

  mark();
}
