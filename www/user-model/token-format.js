// @ts-check
/** Tokens of a user's own model as people read them. */

/** A token as people read it: spaces and ends of lines are seen. @param {{ token: number, text?: string | null }} one */
export const formatToken = ({ token, text }) => (text === null || text === undefined ? String(token) : JSON.stringify(text));

/** A token among others, as it stands in a text. @param {{ token: number, text?: string | null }} one */
export const formatTokenInText = ({ token, text }) => {
  if (text === null || text === undefined) return `#${token}`;
  return text.replaceAll('\n', '⏎').replace(/^ +/, (spaces) => '·'.repeat(spaces.length)) || '∅';
};
