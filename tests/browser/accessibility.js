// What axe-core, which must be there already, finds wrong in a part of the page, as lines.
async ([part, ...rules]) => {
  const only = rules.length > 0 ? { runOnly: { type: "rule", values: rules } } : {};
  const { violations } = await axe.run(part, { resultTypes: ["violations"], ...only });
  return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html.slice(0, 120)}`));
}
