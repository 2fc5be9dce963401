/**
 * Small English words that tell nothing about what is looked for: of "who is Kevin Kelly" the name is meant. Words that
 * often mean something by themselves, such as `will`, `us` or `am`, are none of them.
 */
const functionWords = new Set(
  (
    "a an the this that these those there is are was were be been do does did have has had i me my we our you your " +
    "he she it its they them their what which who whom whose when where why how and or but of in on at to for from " +
    "by with about into as if"
  ).split(" "),
);

/** Whether a word of a query, as it was typed, is such a word; `WHO` and `IT` are names. */
export function isFunctionWord(typed: string): boolean {
  const isShouted = typed.length > 1 && typed === typed.toUpperCase();
  const plain = typed.replace(/^["'(]+|(?:['’](?:s|m|re|ve|d|ll))?["'.,;:!?)]*$/g, "");
  return !isShouted && functionWords.has(plain.toLowerCase());
}
