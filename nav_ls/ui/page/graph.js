// The call graph around one definition: callers to the left, callees to the right, both expandable.
// The same page runs in the editor's panel (asking by messages) and in a browser (asking over HTTP).
"use strict";

const $ = (id) => document.getElementById(id);
const SVG = "http://www.w3.org/2000/svg";
const WIDTH = 210, HEIGHT = 40, GAP_X = 64, GAP_Y = 12, MOST = 40;
const SMALLEST = 0.75; // a graph that is too wide is drawn smaller, as long as it can be read

// --- asking

const editor = typeof acquireVsCodeApi === "function" ? acquireVsCodeApi() : undefined;
const waiting = new Map();
let lastId = 0;

async function ask(command, params) {
  if (editor) {
    const id = ++lastId;
    editor.postMessage({ id, command, params });
    return new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
  }
  const reply = await fetch(`api/${command}`, { method: "POST", body: JSON.stringify(params), headers: { "Content-Type": "application/json" } });
  const body = await reply.json();
  if (!reply.ok) throw new Error(body.error);
  return body;
}

window.addEventListener("message", ({ data }) => {
  if (data.show) void centre(data.show);
  if (data.status) progress(data.status);
  const asked = waiting.get(data.id);
  if (!asked) return;
  waiting.delete(data.id);
  if (data.error) asked.reject(new Error(data.error));
  else asked.resolve(data.result);
});

function open(path, line) {
  if (editor) editor.postMessage({ open: { path, line } });
  else say(`${path}:${line}`);
}

function say(text) {
  $("status").textContent = text;
}

// --- how the index is doing

// Not said aloud for each percent: only that it has begun, and how it ended.
function progress({ state, percent, message }) {
  const before = $("state").dataset.state;
  const indexing = state === "indexing";
  $("progress").hidden = !indexing;
  if (percent === undefined) $("progress").removeAttribute("value");
  else $("progress").value = percent;
  $("state").textContent = indexing ? `indexing${percent === undefined ? "" : ` ${percent} %`}` : state;
  $("state").title = message ?? "";
  $("state").dataset.state = state;
  if (indexing && before !== state) say("The index is being made.");
  if (before === "indexing" && state === "fresh") say("The index is up to date.");
  if ((state === "off" || state === "stale") && message) say(message);
}

// --- the model: one centre, and expanded nodes on both sides

let graph;
let current = "centre"; // the box that Tab leads to; arrow keys move it

async function centre(target) {
  say(`Looking up ${target} …`);
  try {
    const [callers, callees] = await Promise.all([ask("callers", { target }), ask("callees", { target })]);
    const { symbol } = callers;
    graph = { symbol, left: incoming(callers), right: outgoing(callees) };
    current = "centre";
    const possible = callers.possible_total ? `, ${callers.possible_total} possible` : "";
    const shown = callers.total + callers.possible_total > MOST ? ` (the first ${MOST} are drawn)` : "";
    say(`${symbol.symbol}: ${count(callers.total, "caller")}${possible}${shown}, ${count(callees.callees.length, "callee")}`);
    draw();
  } catch (error) {
    say(error.message);
  }
}

function count(number, what) {
  return `${number} ${what}${number === 1 ? "" : "s"}`;
}

function incoming(found) {
  return [
    ...found.callers.map((row) => node(row, row.evidence)),
    ...found.possible.map((row) => node(row, "possible")),
  ].slice(0, MOST);
}

function outgoing(found) {
  return found.callees.map((row) => node(row, row.evidence)).slice(0, MOST);
}

function node(row, evidence) {
  return { ...row, evidence: evidence === "exact" || evidence === "type" ? evidence : "possible", below: undefined };
}

async function expand(one, side) {
  if (one.below) {
    one.below = undefined;
    draw();
    return;
  }
  if (one.line === 0) {
    say(`${one.path}: code at the top of a file has no callers`);
    return;
  }
  const target = `${one.path}:${one.line}`;
  one.below = side === "left" ? incoming(await ask("callers", { target })) : outgoing(await ask("callees", { target }));
  say(`${one.symbol}: ${count(one.below.length, side === "left" ? "caller" : "callee")}`);
  draw();
}

function visible(one) {
  const shown = (name) => document.querySelector(`[name=${name}]`).checked;
  return shown(one.evidence) && (shown("tests") || !one.test);
}

// --- drawing

function draw() {
  const focused = document.activeElement?.dataset?.id;
  const columns = { left: place(graph.left), right: place(graph.right) };
  const depth = { left: columns.left.depth, right: columns.right.depth };
  const height = Math.max(columns.left.height, columns.right.height, HEIGHT) + 4;
  const middle = depth.left * (WIDTH + GAP_X);
  const width = middle + WIDTH + depth.right * (WIDTH + GAP_X) + 4;
  const svg = make("svg", { viewBox: `0 0 ${width} ${height}`, role: "group", "aria-label": `Calls around ${graph.symbol.symbol}` });
  const at = { x: middle + 2, y: (height - HEIGHT) / 2 };
  const column = (side, level) => (side === "left" ? middle - (level + 1) * (WIDTH + GAP_X) : middle + (level + 1) * (WIDTH + GAP_X)) + 2;
  const sides = ["left", "right"].map((side) => ({ side, rows: columns[side].rows, offset: (height - columns[side].height) / 2 }));
  for (const { side, rows, offset } of sides) links(svg, rows, side, at, column, offset, 0);
  svg.append(box(graph.symbol, at.x, at.y, "centre", "centre", () => open(graph.symbol.path, graph.symbol.line)));
  for (const { side, rows, offset } of sides) {
    const group = make("g", { role: "group", "aria-label": side === "left" ? "Callers" : "Callees" });
    boxes(group, rows, side, column, offset, 0, side);
    svg.append(group);
  }
  $("stage").replaceChildren(svg);
  fit(svg);
  if (!find(current)) current = "centre";
  find(current).setAttribute("tabindex", "0");
  if (focused) (find(focused) ?? find("centre")).focus({ preventScroll: true });
  // What was just opened, or the centre, is what somebody looks at.
  (find(focused ?? current) ?? find("centre")).scrollIntoView({ block: "nearest", inline: "center" });
}

function fit(svg) {
  const { clientWidth } = $("stage");
  const { paddingLeft, paddingRight } = getComputedStyle($("stage"));
  const room = clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
  const { width, height } = svg.viewBox.baseVal;
  const scale = Math.min(1, Math.max(SMALLEST, room / width));
  svg.setAttribute("width", width * scale);
  svg.setAttribute("height", height * scale);
}

new ResizeObserver(() => {
  const svg = $("stage").querySelector("svg");
  if (svg) fit(svg);
}).observe($("stage"));

function find(id) {
  return document.querySelector(`[data-id="${CSS.escape(id)}"]`);
}

// The box nearest in the direction of an arrow key; far to the side counts more than far ahead.
function neighbour(from, key) {
  const centreOf = (box) => {
    const { x, y, width, height } = box.getBoundingClientRect();
    return { x: x + width / 2, y: y + height / 2 };
  };
  const here = centreOf(from);
  const [dx, dy] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[key];
  let best, least = Infinity;
  for (const other of document.querySelectorAll("svg [data-id]")) {
    const there = centreOf(other);
    const ahead = (there.x - here.x) * dx + (there.y - here.y) * dy;
    const aside = Math.abs((there.x - here.x) * dy + (there.y - here.y) * dx);
    const far = ahead + 4 * aside * (dy ? 1 : 0.25);
    if (ahead > HEIGHT / 2 && far < least) [best, least] = [other, far];
  }
  return best;
}

function focus(box) {
  find(current)?.setAttribute("tabindex", "-1");
  current = box.dataset.id;
  box.setAttribute("tabindex", "0");
  box.focus();
}

// Rows top down; a parent stands in the middle of what it was expanded to.
function place(nodes, y = 0) {
  const rows = [];
  let depth = 0;
  const start = y;
  for (const one of nodes.filter(visible)) {
    const below = one.below ? place(one.below, y) : { rows: [], height: 0, depth: 0 };
    const height = Math.max(HEIGHT, below.height);
    rows.push({ one, y: y + (height - HEIGHT) / 2, below: below.rows });
    depth = Math.max(depth, 1 + below.depth);
    y += height + GAP_Y;
  }
  return { rows, depth, height: Math.max(0, y - start - GAP_Y) };
}

function links(svg, rows, side, from, column, offset, level) {
  for (const { one, y, below } of rows) {
    const to = { x: column(side, level), y: y + offset };
    const [a, b] = side === "left" ? [{ x: to.x + WIDTH, y: to.y }, from] : [{ x: from.x + WIDTH, y: from.y }, to];
    const bend = GAP_X / 2;
    svg.append(make("path", {
      class: one.evidence,
      d: `M${a.x} ${a.y + HEIGHT / 2}C${a.x + bend} ${a.y + HEIGHT / 2} ${b.x - bend} ${b.y + HEIGHT / 2} ${b.x} ${b.y + HEIGHT / 2}`,
    }));
    links(svg, below, side, to, column, offset, level + 1);
  }
}

function boxes(svg, rows, side, column, offset, level, id) {
  rows.forEach(({ one, y, below }, index) => {
    const mine = `${id}.${index}`;
    svg.append(box(one, column(side, level), y + offset, "node", mine, () => void expand(one, side).catch((e) => say(e.message)), side));
    boxes(svg, below, side, column, offset, level + 1, mine);
  });
}

function box(one, x, y, kind, id, act, side) {
  // A caller is shown at its first call; a callee where it is defined, for its calls stand in another file.
  const line = (side === "left" && one.sites?.[0]?.line) || one.line;
  const group = make("g", {
    class: kind, tabindex: -1, role: "button", "aria-describedby": "keys", "data-id": id, transform: `translate(${x} ${y})`,
    // The name begins with what is seen (as far as it is cut), for those who speak to their computer.
    "aria-label": `${shortened(one.symbol, "")} ${shortened(`${one.path}:${line}`, "place")}${one.evidence ? ` ${one.evidence}` : ""}`,
  });
  if (side) group.setAttribute("aria-expanded", String(Boolean(one.below)));
  // The blank between the two lines is for those who hear them.
  group.append(make("rect", { width: WIDTH, height: HEIGHT, rx: 5 }), label(one.symbol, 10, 17, ""), " ", label(`${one.path}:${line}`, 10, 32, "place"));
  group.addEventListener("focus", () => (current = group.dataset.id));
  group.addEventListener("click", (event) => (event.ctrlKey || event.metaKey ? open(one.path, line) : act()));
  group.addEventListener("mouseenter", () => say(`${one.symbol}  ${one.path}:${line}`)); // names may be cut
  group.addEventListener("dblclick", () => open(one.path, line));
  group.addEventListener("keydown", (event) => {
    if (event.key.startsWith("Arrow")) {
      const next = neighbour(group, event.key);
      if (next) focus(next);
    } else if (event.key === "Enter" || event.key === " ") act();
    else if (event.key === "o") open(one.path, line);
    else if (event.key === "c" && one.line) void centre(`${one.path}:${one.line}`);
    else return;
    event.preventDefault();
  });
  return group;
}

function label(text, x, y, kind) {
  const element = make("text", { x, y, class: kind });
  element.textContent = shortened(text, kind);
  return element;
}

function shortened(text, kind) {
  const most = kind ? 34 : 27;
  return text.length > most ? `…${text.slice(1 - most)}` : text;
}

function make(name, attributes = {}) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
}

// --- search

let timer, searches = 0;

$("query").addEventListener("input", () => {
  clearTimeout(timer);
  timer = setTimeout(() => void search($("query").value), 150);
});
$("search").addEventListener("submit", (event) => {
  event.preventDefault();
  $("results").querySelector("button")?.click();
});

async function search(text) {
  const mine = ++searches;
  $("results").hidden = !text.trim();
  if (!text.trim()) return;
  try {
    const { hits } = await ask("search", { query: text, k: 20 });
    if (mine === searches) results(hits);
  } catch (error) {
    if (mine === searches) say(error.message);
  }
}

function results(hits) {
  const rows = hits.map((hit) => {
    const row = document.createElement("button");
    row.type = "button";
    const place = document.createElement("small");
    place.textContent = `${hit.path}:${hit.line}`;
    row.append(hit.symbol || hit.path, document.createElement("br"), place);
    row.addEventListener("click", () => void centre(`${hit.path}:${hit.line}`));
    return row;
  });
  $("results").replaceChildren(...rows);
  say(count(hits.length, "result"));
}

$("filters").addEventListener("change", () => graph && draw());
$("save").addEventListener("click", () => {
  const svg = $("stage").querySelector("svg");
  if (!svg) {
    say("There is no graph yet.");
    return;
  }
  const copy = svg.cloneNode(true);
  copy.setAttribute("xmlns", SVG);
  inline(svg, copy);
  copy.style.background = getComputedStyle(document.body).backgroundColor; // its texts are made for that
  const text = new XMLSerializer().serializeToString(copy);
  if (editor) editor.postMessage({ save: text });
  else {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type: "image/svg+xml" }));
    link.download = "graph.svg";
    link.click();
    URL.revokeObjectURL(link.href);
  }
});

// A saved picture has no style sheet: what the page's sheet says is written into it.
function inline(from, to) {
  const style = getComputedStyle(from);
  for (const property of ["fill", "stroke", "stroke-width", "stroke-dasharray", "font"]) {
    to.style.setProperty(property, style.getPropertyValue(property));
  }
  [...from.children].forEach((child, index) => inline(child, to.children[index]));
}

if (editor) editor.postMessage({ ready: true });
else new EventSource("events").addEventListener("message", ({ data }) => progress(JSON.parse(data)));
const wanted = new URLSearchParams(location.search).get("target");
if (wanted) void centre(wanted);
