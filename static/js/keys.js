/* keys.js - what a key that was pressed is for already: texts take all keys, links and buttons take Enter. */
export const isTyping = (target) => target.matches?.("input:not([type=radio], [type=checkbox]), select, textarea");
export const isPressed = (target) => target.matches?.("a, button, summary");
