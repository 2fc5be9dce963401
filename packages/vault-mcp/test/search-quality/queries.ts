/** A query as somebody might type it, and the note that must come first. */
export interface ExpectedHit {
  readonly query: string;
  readonly first: string;
  readonly match?: "literal";
}

const at = (first: string, query: string): ExpectedHit => ({ query, first });

/** Over the example vault of this repository. */
export const exampleQueries: readonly ExpectedHit[] = [
  at("Guides/Compost.md", "compost"),
  at("Guides/Compost.md", "what goes into the compost"),
  at("House Rules.md", "when may I bring guests?"),
  at("Guides/Slugs.md", "slug"),
  at("Guides/Slugs.md", "beer traps"),
  at("Tools/Water Pump.md", "pump frost"),
  at("Tools/Water Pump.md", "wp-40"),
  at("Tools/Water Pump.md", '"prime it with a litre"'),
  at("Tools/Tool Shed.md", "wheelbarrow"),
  at("Tools/Tool Shed.md", "code of the lock"),
  at("House Rules.md", "guests"),
  at("House Rules.md", "water before nine"),
  at("People/植物メモ.md", "トマト"),
  at("People/植物メモ.md", "紫蘇"),
  at("People/植物メモ.md", "田中"),
  at("Recipes/Pumpkin Soup.md", "onion ginger"),
  at("Recipes/Bean Salad.md", "vinegar"),
  at("Calendar/2031-04.md", "swap day"),
  at("Calendar/2031-03.md", "spinach"),
  at("Beds/Bed 04.md", "rhubarb"),
  at("Beds/Plans [2031]/Rotation.md", "rotation potatoes"),
  at("People/Waiting List.md", "okafor"),
  at("Inbox/Broken label.md", "herb bed labels"),
  at("Inbox/Idea.md", "bench"),
  at("Beds/Bed 01.md", "tomato wall -soup"),
  { query: "- [ ] new", first: "Beds/Bed 01.md", match: "literal" },
];

/** Over a real vault of a hundred notes, many of which are properties alone. */
export const realQueries: readonly ExpectedHit[] = [
  at("Clippings/68 Bits of Unsolicited Advice.md", "birthday advice"),
  at("Clippings/68 Bits of Unsolicited Advice.md", "unsolicited"),
  at("Clippings/68 Bits of Unsolicited Advice.md", "demand a deadline"),
  at("Clippings/Buy wisely.md", "cost per use heuristic"),
  at("Clippings/Buy wisely.md", '"cost per smile"'),
  at("Clippings/In good hands.md", "omakase"),
  at("Clippings/In good hands.md", "good hands"),
  at("Clippings/In good hands.md", "Japanese restaurant chef"),
  at("Notes/2023 Japan Trip.md", "japan trip"),
  at("Notes/2023-09-12 Meeting with Steph.md", "meeting with steph"),
  at("Notes/2023-09-12 Meeting with Steph.md", "emergence discussed"),
  at("Notes/Evergreen notes turn ideas into objects that you can manipulate.md", "evergreen notes"),
  at("Notes/Evergreen notes turn ideas into objects that you can manipulate.md", "superorganism"),
  at("Notes/Minimal Theme.md", "e-ink mode"),
  at("Notes/Minimal Theme.md", "minimal theme color schemes"),
  at("Notes/Product usage analysis.md", "usage analysis"),
  at("Readme.md", "bottom-up note-taking"),
  at("Readme.md", "how I use Obsidian download vault"),
  at("References/Blade Runner.md", "ridley scott"),
  at("References/Blade Runner.md", "harrison ford movie"),
  at("References/Brown butter nectarine tart.md", "nectarine"),
  at("References/Brown butter nectarine tart.md", "brulee butter tart -movie"),
  at("References/Fushimi Inari.md", "shrine"),
  at("References/Kevin Kelly.md", "kevin kelly"),
  at("References/Kevin Kelly.md", "who is Kevin Kelly?"),
  at("References/Fushimi Inari.md", "shrine in kyoto"),
  at("Templates/Restaurant Template.md", "where do I keep restaurant notes"),
  at("Clippings/Buy wisely.md", "how to buy things wisely"),
  at("References/Blade Runner.md", "which sci-fi movies do I have"),
  at("Notes/Product usage analysis.md", "product analytics usage"),
  at("References/Kyoto.md", "kyoto"),
  at("References/Out of Control.md", "out of control futurism"),
  at("References/Paul Chambers.md", "paul chambers"),
  at("References/The Legend of Zelda Breath of the Wild.md", "botw"),
  at("References/The Legend of Zelda Breath of the Wild.md", "nintendo switch"),
  at("References/The Machine Stops.md", "forster"),
  at("References/The Machine Stops.md", "buttons and switches everywhere"),
  at("References/Steph Ango.md", "steph ango"),
  at("References/Catan.md", "catan"),
  { query: "- [x] E-ink", first: "Notes/Minimal Theme.md", match: "literal" },
];
