// A notebook as the host: questions go through the widget's own channel to the kernel (anywidget), in the order asked.
// The view stands in a shadow tree, so that its looks and the notebook's leave each other alone.

import { View } from "../view.js";

const PATIENCE = 20000; // milliseconds a busy kernel may take before a question counts as unanswered
const LOOKS = {
  "--st-text-color": "var(--jp-content-font-color1, var(--vscode-editor-foreground, #10141f))",
  "--st-background-color": "var(--jp-layout-color0, var(--vscode-editor-background, #ffffff))",
  "--st-primary-color": "var(--jp-brand-color1, #1d4f91)",
  "--st-font": "var(--jp-content-font-family, system-ui, sans-serif)",
};

class Kernel {
  constructor(model) {
    this.model = model;
    this.waiting = new Map();
    this.count = 0;
    this.hear = (message, buffers) => {
      const answered = this.waiting.get(message.answer);
      this.waiting.delete(message.answer);
      if (!answered) return;
      const [view] = buffers ?? [];
      answered(view ? new Uint8Array(view.buffer ?? view, view.byteOffset ?? 0, view.byteLength) : null);
    };
    model.on("msg:custom", this.hear);
  }

  ask(question) {
    const number = ++this.count;
    return new Promise((answered) => {
      this.waiting.set(number, answered);
      setTimeout(() => this.hear({ answer: number }), PATIENCE);
      this.model.send({ ask: number, question });
    });
  }

  close() {
    this.model.off("msg:custom", this.hear);
    for (const answered of this.waiting.values()) answered(null);
  }
}

function render({ model, el }) {
  for (const [name, value] of Object.entries(LOOKS)) el.style.setProperty(name, value);
  el.dataset.lmSuppressShortcuts = "true"; // JupyterLab's own keys rest while the view has the focus
  const tree = el.attachShadow({ mode: "open" });
  const looks = document.createElement("style");
  looks.textContent = model.get("looks");
  const root = document.createElement("div");
  root.className = "quorum";
  root.style.setProperty("--top", "0px"); // nothing of the page's lies over it
  tree.append(looks, root);
  const kernel = new Kernel(model);
  const view = new View(root, { ask: (question) => kernel.ask(question), pageKeys: false });
  root.api = view.api;
  view.ask();
  return () => {
    kernel.close();
    view.destroy();
  };
}

export default function widget() {
  return { render };
}
