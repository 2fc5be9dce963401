import { expect, it } from "vitest";
import { searchedTexts } from "./searched-texts.ts";

it("takes names, headings, tags and the values of properties", () => {
  const note = {
    title: "Zelda",
    aliases: ["BOTW", "Zelda"],
    headings: [{ text: "One" }, { text: "Two" }],
    tags: ["game", "to-play"],
    frontmatter: {
      title: "Zelda",
      tags: ["game"],
      maker: "[[Nintendo]]",
      year: 2017,
      done: true,
      a: [{ b: "deep" }, null],
    },
  };
  expect(searchedTexts("Games/Breath of the Wild.md", note)).toEqual({
    title: "Zelda\nBOTW\nBreath of the Wild",
    headings: "One\nTwo",
    tags: "game\nto-play",
    properties: "[[Nintendo]]\n2017\ndeep",
  });
});
