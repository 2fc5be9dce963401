import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";

const words =
  "garden bed water seed autumn spring compost leaf root stone path meeting list tool rain sun".split(" ");

/** A generator of the same numbers on each run. @param {number} seed */
function randomFrom(seed) {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return state / 4_294_967_296;
  };
}

/**
 * Writes a vault of `count` notes in folders of about 200: frontmatter, headings, links, tags, 1 to 3 kB each.
 *
 * @param {string} root
 * @param {number} count
 */
export function generateVault(root, count) {
  const random = randomFrom(7);
  const pick = () => words[Math.floor(random() * words.length)] ?? "";
  const folders = Math.ceil(count / 200);
  for (let index = 0; index < count; index += 1) {
    const folder = path.join(root, `area ${index % folders}`, index % 3 === 0 ? "sub" : "");
    mkdirSync(folder, { recursive: true });
    const paragraphs = Array.from({ length: 4 + Math.floor(random() * 12) }, (_, part) => {
      const text = Array.from({ length: 25 }, pick).join(" ");
      return part % 4 === 0
        ? `## ${pick()} ${part}\n\n${text}`
        : `${text} [[note ${Math.floor(random() * count)}]] #${pick()}`;
    });
    const frontmatter = [
      `title: Note ${index} ${pick()}`,
      `status: ${["open", "done", "waiting"][index % 3]}`,
      `weight: ${Math.floor(random() * 1_000)}`,
      `tags: [${pick()}, area/${pick()}]`,
      `due: 2031-0${1 + (index % 9)}-1${index % 10}`,
    ];
    const text = `---\n${frontmatter.join("\n")}\n---\n# Note ${index}\n\n${paragraphs.join("\n\n")}\n`;
    writeFileSync(path.join(folder, `note ${index}.md`), text);
  }
}
