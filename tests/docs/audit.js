// What keeps people out: controls without a name, and text that is hard to tell from what is behind it.
const problems = [];
const visible = (element) => element.checkVisibility({ visibilityProperty: true });

function nameOf(element) {
  const labels = [...(element.labels ?? [])].map((label) => label.textContent).join(" ");
  return (element.getAttribute("aria-label") ?? (labels || element.textContent.trim() || element.querySelector("img[alt]")?.alt || "")).trim();
}

for (const element of document.querySelectorAll("button, a[href], input, select, textarea, [role=button], [tabindex]")) {
  if (visible(element) && !nameOf(element)) problems.push(`no name: ${element.outerHTML.slice(0, 80)}`);
}
for (const image of document.querySelectorAll("img:not([alt])")) problems.push(`no alt: ${image.src}`);
const ids = [...document.querySelectorAll("[id]")].map((element) => element.id);
if (new Set(ids).size !== ids.length) problems.push("an id twice");
if (!document.documentElement.lang) problems.push("no language");

const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
function rgba(colour) {
  canvas.clearRect(0, 0, 1, 1);
  canvas.fillStyle = colour;
  canvas.fillRect(0, 0, 1, 1);
  return [...canvas.getImageData(0, 0, 1, 1).data];
}
function luminance(colour) {
  const [r, g, b] = rgba(colour).slice(0, 3).map((c) => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
function behind(element) {
  for (let e = element; e; e = e.parentElement) {
    const colour = getComputedStyle(e).backgroundColor;
    if (rgba(colour)[3] > 250) return colour;
  }
  return "white";
}
for (const element of document.querySelectorAll("body *")) {
  const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
  if (!own || !visible(element)) continue;
  const style = getComputedStyle(element);
  const text = element instanceof SVGElement ? style.fill : style.color;
  const [light, dark] = [luminance(text), luminance(behind(element))].sort((a, b) => b - a);
  const ratio = (light + 0.05) / (dark + 0.05);
  if (ratio < 4.5) problems.push(`contrast ${ratio.toFixed(1)}: ${element.textContent.trim().slice(0, 40)}`);
}
return problems;
