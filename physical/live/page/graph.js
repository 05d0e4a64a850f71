// The graph of running queries: layers from streams to queries, drawn anew only when its shape changes.

const WIDTH = 180, HEIGHT = 50, GAP_X = 36, GAP_Y = 18, MARGIN = 12;
const NAMESPACE = "http://www.w3.org/2000/svg";

export function element(name, attributes = {}, text = "") {
  const made = document.createElementNS(NAMESPACE, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text) made.textContent = text;
  return made;
}

export function shortened(text, length) {
  return text.length <= length ? text : text.slice(0, length - 1) + "…";
}

function layers(graph) {
  const inputs = new Map(graph.nodes.map(node => [node.id, []]));
  for (const [from, to] of graph.edges) inputs.get(to)?.push(from);
  const depth = new Map();
  const depthOf = id => {
    if (!depth.has(id)) depth.set(id, inputs.get(id).length ? 1 + Math.max(...inputs.get(id).map(depthOf)) : 0);
    return depth.get(id);
  };
  graph.nodes.forEach(node => depthOf(node.id));
  const last = Math.max(...graph.nodes.map(node => depthOf(node.id)));
  const found = Array.from({ length: last + 1 }, () => []);
  for (const node of graph.nodes) found[node.kind === "query" ? last : depthOf(node.id)].push(node);
  return ordered(found, inputs);
}

// Put every node near the middle of its inputs, so that few edges cross.
function ordered(found, inputs) {
  const place = new Map();
  for (const layer of found) {
    const middle = node => {
      const places = inputs.get(node.id).filter(id => place.has(id)).map(id => place.get(id));
      return places.length ? places.reduce((a, b) => a + b, 0) / places.length : Infinity;
    };
    const keys = new Map(layer.map((node, i) => [node, Math.min(middle(node), 1e6 + i)]));
    layer.sort((a, b) => keys.get(a) - keys.get(b));
    layer.forEach((node, i) => place.set(node.id, i));
  }
  return found;
}

export function drawGraph(holder, graph, choose) {
  holder.replaceChildren();
  if (!graph.nodes.length) return new Map();
  const found = layers(graph), most = Math.max(...found.map(layer => layer.length));
  const at = new Map();
  found.forEach((layer, i) => layer.forEach((node, j) => {
    const offset = (most - layer.length) * (HEIGHT + GAP_Y) / 2;
    at.set(node.id, [MARGIN + i * (WIDTH + GAP_X), MARGIN + offset + j * (HEIGHT + GAP_Y)]);
  }));
  const width = 2 * MARGIN + found.length * (WIDTH + GAP_X) - GAP_X, height = 2 * MARGIN + most * (HEIGHT + GAP_Y) - GAP_Y;
  const svg = element("svg", { width, height, viewBox: `0 0 ${width} ${height}`, role: "group" });
  for (const [from, to] of graph.edges) svg.append(edge(at.get(from), at.get(to), from, to));
  const drawn = new Map();
  for (const node of graph.nodes) {
    const box = boxOf(node, ...at.get(node.id), choose);
    drawn.set(node.id, box);
    svg.append(box);
  }
  holder.append(svg);
  return drawn;
}

function edge([x, y], [u, v], from, to) {
  const begin = x + WIDTH, middle = (begin + u) / 2, p = y + HEIGHT / 2, q = v + HEIGHT / 2;
  return element("path", { class: "edge", d: `M${begin},${p} C${middle},${p} ${middle},${q} ${u},${q}`, "data-from": from, "data-to": to });
}

function boxOf(node, x, y, choose) {
  const shared = node.queries.length > 1;
  const group = element("g", {
    class: `node ${node.kind}`, transform: `translate(${x},${y})`, tabindex: 0, role: "button",
    "aria-label": `${node.label}, used by ${node.queries.join(", ") || "no query"}`,
  });
  group.append(element("title", {}, `${node.label}\nused by ${node.queries.join(", ")}`));
  group.append(element("rect", { width: WIDTH, height: HEIGHT, rx: 6 }));
  if (shared && node.kind !== "query") {
    group.classList.add("shared");
    group.append(element("rect", { class: "inner", x: 3, y: 3, width: WIDTH - 6, height: HEIGHT - 6, rx: 4 }));
  }
  group.append(element("text", { x: 10, y: 21 }, shortened(node.label, 25)));
  group.append(element("text", { x: 10, y: 39, class: "small figures" }));
  const chosen = () => choose(node);
  group.addEventListener("click", chosen);
  group.addEventListener("keydown", event => {
    if (event.key === "Enter" || event.key === " ") { event.preventDefault(); chosen(); }
  });
  return group;
}

export function showFigures(holder, drawn, figures) {
  for (const [id, text] of figures) {
    const place = drawn.get(id)?.querySelector(".figures");
    if (place && place.textContent !== text.line) place.textContent = text.line;
    holder.querySelectorAll(`path[data-from="${CSS.escape(id)}"]`).forEach(path => path.classList.toggle("busy", text.busy));
  }
}

// Let everything stand back that a query does not use.
export function highlight(holder, drawn, graph, query) {
  for (const node of graph.nodes) drawn.get(node.id)?.classList.toggle("dim", Boolean(query) && !node.queries.includes(query));
  const used = new Set(graph.nodes.filter(node => !query || node.queries.includes(query)).map(node => node.id));
  for (const path of holder.querySelectorAll("path.edge")) {
    path.classList.toggle("dim", !(used.has(path.dataset.from) && used.has(path.dataset.to)));
  }
}
