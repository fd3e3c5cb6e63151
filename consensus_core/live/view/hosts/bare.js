// No host at all: a page that answers by itself. For tests, and for whoever puts the view elsewhere.
//
//   mount(element, { ask: async (question, { page }) => bytes })  -> the view's api, with `destroy()`

import { View } from "../view.js";

export default function mount(element, { ask }) {
  element.classList.add("quorum");
  const view = new View(element, { ask });
  element.api = view.api;
  view.ask();
  return Object.assign(view.api, { destroy: () => view.destroy() });
}
