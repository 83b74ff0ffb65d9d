// Visible texts whose contrast with what is behind them is below WCAG's AA (4.5:1, large text 3:1).
() => {
  const parse = (text) => {
    const canvas = document.createElement("canvas");
    canvas.width = canvas.height = 1;
    const context = canvas.getContext("2d", { willReadFrequently: true });
    context.fillStyle = text;
    context.fillRect(0, 0, 1, 1);
    return [...context.getImageData(0, 0, 1, 1).data];
  };
  const cache = new Map();
  const colour = (text) => {
    if (!cache.has(text)) cache.set(text, parse(text));
    return cache.get(text);
  };
  const luminance = ([r, g, b]) => {
    const part = (value) => (value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4);
    return 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b);
  };
  const behind = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const [r, g, b, a] = colour(getComputedStyle(at).backgroundColor);
      if (a === 255) return [r, g, b];
    }
    return colour(getComputedStyle(document.documentElement).colorScheme.startsWith("dark") ? "black" : "white");
  };
  const poor = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  let looked = 0;
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement;
    if (!node.data.trim() || !element || /^(SCRIPT|STYLE|OPTION|NOSCRIPT)$/.test(element.tagName)) continue;
    if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    if (element.closest(".hidden-text, :disabled, [aria-disabled=true]")) continue; // neither is read by eye; disabled is exempt
    if (element instanceof SVGElement) continue; // drawn over shapes; see the colours of the style sheet
    const style = getComputedStyle(element);
    const [a, b] = [luminance(colour(style.color)), luminance(behind(element))].sort((x, y) => y - x);
    const ratio = (a + 0.05) / (b + 0.05);
    const size = parseFloat(style.fontSize);
    const large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    looked += 1;
    if (ratio < (large ? 3 : 4.5)) poor.push(`${node.data.trim().slice(0, 40)} (${element.tagName}.${element.className}): ${ratio.toFixed(2)}`);
  }
  return { looked, poor };
}
