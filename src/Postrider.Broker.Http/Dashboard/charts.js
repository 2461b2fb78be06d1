// Lines over the last minutes.
import { element } from "./elements.js";

/** Points that a line has; one is added with each reading. */
export const SAMPLES = 150;

/** A figure with a line for each [name, label, style] of the samples; a value that is null keeps the line at its previous value. */
export function chart(title, format, history, ...lines) {
  const most = Math.max(1, ...history.flatMap((sample) => lines.map(([name]) => sample[name] ?? 0)));
  const figure = element("figure");
  const caption = element("figcaption", `${title}: `);
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", `0 0 ${SAMPLES - 1} 100`);
  svg.setAttribute("preserveAspectRatio", "none");
  svg.setAttribute("role", "img");
  const words = [];
  lines.forEach(([name, label, style], i) => {
    const line = document.createElementNS("http://www.w3.org/2000/svg", "polyline");
    line.setAttribute("class", style);
    const from = SAMPLES - history.length;
    let value = 0;
    line.setAttribute("points", history.map((sample, at) => `${from + at},${98 - (96 * (value = sample[name] ?? value)) / most}`).join(" "));
    svg.append(line);
    const now = `${label} ${format(value)}`;
    words.push(now);
    if (i > 0) caption.append(", ");
    caption.append(element("b", now, { class: style }));
  });
  caption.append(`, at most ${format(most)}`);
  svg.setAttribute("aria-label", `${title}: ${words.join(", ")}`);
  figure.append(svg, caption);
  return figure;
}
