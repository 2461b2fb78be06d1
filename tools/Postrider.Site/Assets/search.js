// Searches the pages. The index is a script of this site, which is loaded when somebody searches, so that it works from a disk as well.
(() => {
  const MAX = 20;
  const up = document.body.dataset.up;
  const field = document.getElementById("search");
  const list = document.getElementById("found");
  let loading;
  const load = () => (loading ??= new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = `${up}assets/search-index.js`;
    script.onload = () => resolve(globalThis.searchIndex.map(([address, title, text]) => ({ address, title, text, titleText: title.toLowerCase(), all: `${title} ${text}`.toLowerCase() })));
    script.onerror = reject;
    document.head.append(script);
  }));

  // All words have to be there; those in a heading count more.
  const find = (sections, words) => sections
    .filter((section) => words.every((word) => section.all.includes(word)))
    .map((section) => ({ section, score: words.filter((word) => section.titleText.includes(word)).length }))
    .sort((a, b) => b.score - a.score)
    .slice(0, MAX);

  const around = (section, word) => {
    const at = section.text.toLowerCase().indexOf(word);
    if (at < 0) return section.text.slice(0, 120);
    const from = Math.max(0, at - 50);
    return `${from > 0 ? "…" : ""}${section.text.slice(from, at + 90)}…`;
  };

  const show = async () => {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    list.hidden = words.length === 0;
    if (words.length === 0) return;
    const found = find(await load(), words);
    list.replaceChildren(...found.map(({ section }) => {
      const line = document.createElement("li");
      const link = document.createElement("a");
      link.href = up + section.address;
      link.textContent = section.title;
      const text = document.createElement("small");
      text.textContent = around(section, words[0]);
      line.append(link, text);
      return line;
    }));
    if (found.length === 0) {
      const line = document.createElement("li");
      line.textContent = "Nothing was found.";
      list.append(line);
    }
  };
  field.addEventListener("input", show);
  document.addEventListener("keydown", (event) => {
    if (event.key === "/" && document.activeElement !== field && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      field.focus();
    } else if (event.key === "Escape" && !list.hidden) {
      list.hidden = true;
      field.focus();
    }
  });
})();
