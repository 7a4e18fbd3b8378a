// HTML of texts from anywhere, as nodes that run nothing, request nothing and bring no style.

import DOMPurify, { type Config } from "dompurify";

/** As TensorBoard has it, but for images: showing one would request it. */
const TAGS = "a blockquote br code em h1 h2 h3 h4 h5 h6 hr li ol p pre strong table tbody td th thead tr ul".split(" ");

const ADDRESS = /^(?:https?|mailto):/i;

const OPTIONS: Config & { RETURN_DOM_FRAGMENT: true } = {
  ALLOWED_TAGS: TAGS,
  ALLOWED_ATTR: ["align", "href", "title"],
  ALLOWED_URI_REGEXP: ADDRESS,
  // DOMPurify checks the values of other attributes as addresses.
  ADD_URI_SAFE_ATTR: ["align"],
  ALLOW_ARIA_ATTR: false,
  ALLOW_DATA_ATTR: false,
  RETURN_DOM_FRAGMENT: true,
};

/** Throws where the page has no way to do it. */
export function safeFragment(html: string): DocumentFragment {
  if (!DOMPurify.isSupported) {
    throw new Error("HTML cannot be made safe here");
  }
  // A document that is parsed like this runs and requests nothing.
  const { body } = new DOMParser().parseFromString(html, "text/html");
  for (const image of body.querySelectorAll("img")) {
    const address = image.getAttribute("src") ?? "";
    image.replaceWith([image.alt, address && `(${address})`].filter((part) => part !== "").join(" "));
  }
  const fragment = DOMPurify.sanitize(body.innerHTML, OPTIONS);
  for (const link of fragment.querySelectorAll("a")) {
    if (ADDRESS.test(link.getAttribute("href") ?? "")) {
      link.setAttribute("target", "_blank");
      link.setAttribute("rel", "noopener noreferrer");
    } else {
      // An empty one would lead to the notebook itself.
      link.removeAttribute("href");
    }
  }
  return fragment;
}
