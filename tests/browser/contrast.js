// Visible texts whose contrast with what is behind them is below WCAG's AA (4.5:1, large text 3:1).
() => {
  const parse = (text) => {
    const canvas = document.createElement("canvas");
    canvas.width = canvas.height = 1;
    const context = canvas.getContext("2d", { willReadFrequently: true });
    context.fillStyle = text;
    context.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = context.getImageData(0, 0, 1, 1).data;
    return [r, g, b, a / 255];
  };
  const cache = new Map();
  const colour = (text) => {
    if (!cache.has(text)) cache.set(text, parse(text));
    return cache.get(text);
  };
  const over = ([r, g, b, a], ground, opacity = 1) =>
    [r, g, b].map((value, i) => value * a * opacity + ground[i] * (1 - a * opacity));
  const luminance = (rgb) => {
    const [r, g, b] = rgb.map((value) => (value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const contrast = (one, other) => {
    const [a, b] = [luminance(one), luminance(other)].sort((x, y) => y - x);
    return (a + 0.05) / (b + 0.05);
  };
  const canvasOfPage = colour(matchMedia("(prefers-color-scheme: dark)").matches ? "black" : "white");
  // From the page to the element, each background over the last.
  const behind = (element) =>
    over(colour(getComputedStyle(element).backgroundColor), element.parentElement ? behind(element.parentElement) : canvasOfPage.slice(0, 3));
  const opacity = (element) =>
    Number(getComputedStyle(element).opacity) * (element.parentElement ? opacity(element.parentElement) : 1);
  // In a drawing the ground is whatever shape was filled last below the middle of the text.
  const behindDrawn = (text) => {
    const { left, right, top, bottom } = text.getBoundingClientRect();
    const [x, y] = [(left + right) / 2, (top + bottom) / 2];
    let ground = behind(text.ownerSVGElement.parentElement);
    for (const shape of text.ownerSVGElement.querySelectorAll("rect, polygon, circle, path")) {
      if (!(shape.compareDocumentPosition(text) & Node.DOCUMENT_POSITION_FOLLOWING)) break;
      const style = getComputedStyle(shape);
      if (style.fill === "none") continue;
      const point = new DOMPoint(x, y).matrixTransform(shape.getScreenCTM().inverse());
      if (shape.isPointInFill(point)) ground = over(colour(style.fill), ground, Number(style.fillOpacity) * opacity(shape));
    }
    return ground;
  };
  const poor = [];
  const looked = { texts: 0, drawn: 0 };
  const judge = (text, element, foreground, ground, style) => {
    const ratio = contrast(over(foreground, ground, opacity(element)), ground);
    const size = parseFloat(style.fontSize);
    const large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    if (ratio < (large ? 3 : 4.5)) poor.push(`${text.slice(0, 40)} (${element.tagName}.${element.getAttribute("class")}): ${ratio.toFixed(2)}`);
  };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement;
    const text = node.data.trim();
    if (!text || !element || /^(SCRIPT|STYLE|OPTION|NOSCRIPT)$/.test(element.tagName)) continue;
    if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    if (element.closest(".hidden-text, :disabled, [aria-disabled=true]")) continue; // neither is read by eye; disabled is exempt
    const style = getComputedStyle(element);
    if (element instanceof SVGElement) {
      judge(text, element, colour(style.fill), behindDrawn(element), style);
      looked.drawn += 1;
    } else {
      judge(text, element, colour(style.color), behind(element), style);
      looked.texts += 1;
    }
  }
  // Labels of the scatter plot have these two colours.
  for (const canvas of document.querySelectorAll("canvas.points")) {
    const style = getComputedStyle(canvas);
    for (const name of ["--fg", "--muted"]) judge(name, canvas, colour(style.getPropertyValue(name)), behind(canvas), style);
  }
  return { ...looked, poor };
}
