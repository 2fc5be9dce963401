const wide =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\u3000-\u303f\uff01-\uff60]/u;
const none = /[\p{Mark}\p{Cf}]/u;

function widthOfCharacter(character: string): number {
  if (none.test(character)) return 0;
  return wide.test(character) ? 2 : 1;
}

/** Columns of a terminal that a text takes: ideographs and emoji take two, marks none. */
export function textWidth(text: string): number {
  return Array.from(text).reduce((sum, character) => sum + widthOfCharacter(character), 0);
}

/** A text in exactly so many columns: filled with spaces, or cut with an ellipsis. */
export function fitText(text: string, width: number, align: "left" | "right" = "left"): string {
  let fitted = text;
  if (textWidth(text) > width) {
    fitted = "";
    for (const character of text) {
      if (textWidth(fitted) + widthOfCharacter(character) > width - 1) break;
      fitted += character;
    }
    fitted += "…";
  }
  const filling = " ".repeat(width - textWidth(fitted));
  return align === "left" ? fitted + filling : filling + fitted;
}
