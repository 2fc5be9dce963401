import type { EditingTools } from "../../domain/writing/writing-deps.ts";
import { loadYamlParser } from "../load-yaml-parser.ts";

/** What editing texts needs; its libraries are loaded with the first use. */
export async function loadEditingTools(): Promise<EditingTools> {
  const [parse, { readYamlLayout }, { diffTexts }] = await Promise.all([
    loadYamlParser(),
    import("./yaml-layout.ts"),
    import("./unified-diff.ts"),
  ]);
  return { yaml: { parse, layout: readYamlLayout }, diffTexts };
}
