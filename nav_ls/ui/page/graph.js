// The call graph around one definition: callers to the left, callees to the right, both expandable.
// The same page runs in the editor's panel (asking by messages) and in a browser (asking over HTTP).
"use strict";

const $ = (id) => document.getElementById(id);
const SVG = "http://www.w3.org/2000/svg";
const WIDTH = 230, HEIGHT = 40, GAP_X = 90, GAP_Y = 12, MOST = 40;

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

// --- the model: one centre, and expanded nodes on both sides

let graph;

async function centre(target) {
  say(`Looking up ${target} …`);
  try {
    const [callers, callees] = await Promise.all([ask("callers", { target }), ask("callees", { target })]);
    const { symbol } = callers;
    graph = { symbol, left: incoming(callers), right: outgoing(callees) };
    const possible = callers.possible_total ? `, ${callers.possible_total} possible` : "";
    say(`${symbol.symbol}: ${callers.total} callers${possible}, ${graph.right.length} callees`);
    draw();
  } catch (error) {
    say(error.message);
  }
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
  say(`${one.symbol}: ${one.below.length} ${side === "left" ? "callers" : "callees"}`);
  draw();
}

const TEST = /(^|\/)(tests?|__tests__|spec)\/|(^|\/)(test_[^/]*|[^/]*(_test|\.test|\.spec))\.\w+$/;

function visible(one) {
  const shown = (name) => document.querySelector(`[name=${name}]`).checked;
  return shown(one.evidence) && (shown("tests") || !TEST.test(one.path));
}

// --- drawing

function draw() {
  const focused = document.activeElement?.dataset?.id;
  const columns = { left: place(graph.left), right: place(graph.right) };
  const depth = { left: columns.left.depth, right: columns.right.depth };
  const height = Math.max(columns.left.height, columns.right.height, HEIGHT) + 4;
  const middle = depth.left * (WIDTH + GAP_X);
  const width = middle + WIDTH + depth.right * (WIDTH + GAP_X) + 4;
  const svg = make("svg", { width, height, viewBox: `0 0 ${width} ${height}`, role: "group", "aria-label": `Calls around ${graph.symbol.symbol}` });
  const at = { x: middle + 2, y: (height - HEIGHT) / 2 };
  const column = (side, level) => (side === "left" ? middle - (level + 1) * (WIDTH + GAP_X) : middle + (level + 1) * (WIDTH + GAP_X)) + 2;
  for (const side of ["left", "right"]) {
    const offset = (height - columns[side].height) / 2;
    links(svg, columns[side].rows, side, at, column, offset, 0);
  }
  for (const side of ["left", "right"]) {
    const offset = (height - columns[side].height) / 2;
    boxes(svg, columns[side].rows, side, column, offset, 0, side);
  }
  svg.append(box(graph.symbol, at.x, at.y, "centre", "centre", () => open(graph.symbol.path, graph.symbol.line)));
  $("stage").replaceChildren(svg);
  if (focused) document.querySelector(`[data-id="${CSS.escape(focused)}"]`)?.focus();
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
    class: kind, tabindex: 0, role: "button", "data-id": id, transform: `translate(${x} ${y})`,
    // The name begins with what is seen (as far as it is cut), for those who speak to their computer.
    "aria-label": `${shortened(one.symbol, "")} ${shortened(`${one.path}:${line}`, "place")}${one.evidence ? ` ${one.evidence}` : ""}`,
  });
  if (side) group.setAttribute("aria-expanded", String(Boolean(one.below)));
  // The blank between the two lines is for those who hear them.
  group.append(make("rect", { width: WIDTH, height: HEIGHT, rx: 5 }), label(one.symbol, 10, 17, ""), " ", label(`${one.path}:${line}`, 10, 32, "place"));
  group.addEventListener("click", (event) => (event.ctrlKey || event.metaKey ? open(one.path, line) : act()));
  group.addEventListener("mouseenter", () => say(`${one.symbol}  ${one.path}:${line}`)); // names may be cut
  group.addEventListener("dblclick", () => open(one.path, line));
  group.addEventListener("keydown", (event) => {
    if (event.key === "Enter" || event.key === " ") act();
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
  const most = kind ? 36 : 30;
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
    place.textContent = `${hit.path}:${hit.start_line}`;
    row.append(hit.symbol || hit.path, document.createElement("br"), place);
    row.addEventListener("click", () => void centre(`${hit.path}:${hit.start_line}`));
    return row;
  });
  $("results").replaceChildren(...rows);
  say(`${hits.length} results`);
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

const wanted = new URLSearchParams(location.search).get("target");
if (wanted) void centre(wanted);
