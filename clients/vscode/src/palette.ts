// Search as you type: debounced, cancelled when typing goes on, with a preview while moving through the results.

import * as vscode from "vscode";
import { type Hit, message, type Nav, show } from "./ask";

interface Item extends vscode.QuickPickItem {
  hit?: Hit;
}

const OPEN_BESIDE: vscode.QuickInputButton = { iconPath: new vscode.ThemeIcon("split-horizontal"), tooltip: "Open to the side" };

/** Open the palette; `initial` is typed in already. */
export function openPalette(nav: Nav, initial = ""): void {
  const settings = vscode.workspace.getConfiguration("nav");
  const debounce = settings.get<number>("palette.debounce");
  const limit = settings.get<number>("palette.limit");
  const before = vscode.window.activeTextEditor;
  const picker = vscode.window.createQuickPick<Item>();
  picker.title = "Nav: Search";
  picker.placeholder = "What does the code do?  kind:method  layer:service  lang:go  path:src/**";
  picker.matchOnDescription = true;
  picker.value = initial;
  // The server ranks; the editor must neither filter nor sort again.
  (picker as unknown as { sortByLabel: boolean }).sortByLabel = false;

  let timer: NodeJS.Timeout | undefined;
  let running: vscode.CancellationTokenSource | undefined;
  let opened = false;
  let fresh = false; // the editor makes the first of new results the active one: nobody has moved there

  const search = async (text: string): Promise<void> => {
    running?.cancel();
    if (!text.trim()) {
      picker.items = [];
      picker.busy = false;
      return;
    }
    const mine = (running = new vscode.CancellationTokenSource());
    picker.busy = true;
    try {
      const found = await nav.run<{ hits: Hit[] }>("search", { query: text, k: limit }, { token: mine.token, sync: false });
      if (!mine.token.isCancellationRequested) {
        fresh = true;
        picker.items = found.hits.length > 0 ? found.hits.map(item) : [nothing("Nothing fits. Fewer words or filters find more.")];
      }
    } catch (error) {
      if (!mine.token.isCancellationRequested) {
        picker.items = [nothing(message(error))];
      }
    } finally {
      if (running === mine) {
        picker.busy = false;
      }
    }
  };

  picker.onDidChangeValue((text) => {
    clearTimeout(timer);
    timer = setTimeout(() => void search(text), debounce);
  });
  picker.onDidChangeActive(([active]) => {
    if (active && fresh) {
      fresh = false;
    } else if (active?.hit) {
      void show(nav.uri(active.hit.path), active.hit.line, 1, true);
    }
  });
  picker.onDidTriggerItemButton(({ item: chosen }) => {
    if (chosen.hit) {
      void vscode.window.showTextDocument(nav.uri(chosen.hit.path), { viewColumn: vscode.ViewColumn.Beside, selection: lineOf(chosen.hit) });
    }
  });
  picker.onDidAccept(() => {
    const hit = picker.activeItems[0]?.hit;
    if (hit) {
      opened = true;
      void show(nav.uri(hit.path), hit.line);
      picker.hide();
    }
  });
  picker.onDidHide(() => {
    clearTimeout(timer);
    running?.cancel();
    picker.dispose();
    if (!opened && before) {
      void vscode.window.showTextDocument(before.document, { viewColumn: before.viewColumn, selection: before.selection });
    }
  });
  picker.show();
  if (initial) {
    void search(initial);
  }
}

function item(hit: Hit): Item {
  return {
    label: `$(${icon(hit.kind)}) ${hit.symbol || hit.path}`,
    description: `${hit.path}:${hit.line}`,
    detail: [hit.layer, hit.signature].filter(Boolean).join("  ·  "),
    alwaysShow: true,
    buttons: [OPEN_BESIDE],
    hit,
  };
}

function nothing(text: string): Item {
  return { label: text, alwaysShow: true };
}

function lineOf(hit: Hit): vscode.Range {
  return new vscode.Range(hit.line - 1, 0, hit.line - 1, 0);
}

function icon(kind: string): string {
  const icons: Record<string, string> = {
    function: "symbol-function",
    method: "symbol-method",
    constructor: "symbol-constructor",
    property: "symbol-property",
    class: "symbol-class",
    struct: "symbol-structure",
    interface: "symbol-interface",
    trait: "symbol-interface",
    enum: "symbol-enum",
  };
  return icons[kind] ?? "symbol-misc";
}
