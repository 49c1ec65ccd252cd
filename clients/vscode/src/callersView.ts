// The tree of callers, callees or impact in the side bar, with evidence, expandable as far as one likes.

import * as vscode from "vscode";
import type { Callees, CallerRow, Callers, Impact, ImpactRow, Nav, Place, PossibleRow, SymbolRow } from "./ask";

export type Question = "callers" | "callees" | "impact";

type Row = CallerRow | PossibleRow;
type Node =
  | { kind: "root"; symbol: SymbolRow }
  | { kind: "group"; label: string; children: Node[] }
  | { kind: "symbol"; row: Row; evidence: string }
  | { kind: "reached"; row: ImpactRow }
  | { kind: "site"; path: string; place: Place }
  | { kind: "note"; text: string };

const TITLES: Record<Question, string> = { callers: "Callers", callees: "Callees", impact: "Impact" };
const ICONS: Record<string, [string, string]> = {
  exact: ["verified-filled", "known by scope or import"],
  type: ["verified", "known by the receiver's type"],
  dispatch: ["git-branch", "may run an override"],
  name: ["question", "only the name fits"],
  unresolved: ["question", "a call of that name; its receiver is not known"],
  use: ["symbol-reference", "named as a value, not called"],
};

export class CallersView implements vscode.TreeDataProvider<Node>, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChangeTreeData = this.changed.event;
  private readonly view = vscode.window.createTreeView<Node>("nav.callers", { treeDataProvider: this, showCollapseAll: true });
  private nav: Nav | undefined;
  private question: Question = "callers";
  private roots: Node[] = [];

  /** Ask about a target and show the answer. */
  async find(nav: Nav, target: string, question: Question): Promise<void> {
    this.nav = nav;
    this.question = question;
    const [symbol, children] = await this.ask(nav, target);
    this.roots = [{ kind: "root", symbol }, ...children];
    this.view.title = TITLES[question];
    this.view.description = symbol.symbol;
    const focused = vscode.commands.executeCommand("nav.callers.focus");
    this.changed.fire();
    await focused;
  }

  getTreeItem(node: Node): vscode.TreeItem {
    switch (node.kind) {
      case "root": {
        const item = new vscode.TreeItem(node.symbol.symbol);
        item.description = `${node.symbol.path}:${node.symbol.line}`;
        item.iconPath = new vscode.ThemeIcon("target");
        item.command = this.opener(node.symbol.path, node.symbol.line, node.symbol.column);
        return item;
      }
      case "group": {
        const item = new vscode.TreeItem(node.label, vscode.TreeItemCollapsibleState.Expanded);
        item.description = String(node.children.length);
        return item;
      }
      case "symbol": {
        // A callee's sites stand in the caller's file: it is shown where it is defined.
        const first = this.question === "callers" ? node.row.sites[0] : undefined;
        const item = this.item(node.row, node.evidence, first?.line ?? node.row.line, first?.column ?? 1);
        item.collapsibleState = vscode.TreeItemCollapsibleState.Collapsed;
        return item;
      }
      case "reached": {
        const item = this.item(node.row, node.row.evidence, node.row.line, 1);
        item.description = `${item.description} · calls ${node.row.via}${node.row.test ? " · test" : ""}`;
        return item;
      }
      case "site": {
        const item = new vscode.TreeItem(`line ${node.place.line}`);
        item.iconPath = new vscode.ThemeIcon("arrow-small-right");
        item.command = this.opener(node.path, node.place.line, node.place.column);
        return item;
      }
      case "note":
        return new vscode.TreeItem(node.text);
    }
  }

  async getChildren(node?: Node): Promise<Node[]> {
    if (!node) {
      return this.roots;
    }
    if (node.kind === "group") {
      return node.children;
    }
    if (node.kind !== "symbol" || !this.nav) {
      return [];
    }
    const places = this.question === "callers" && node.row.sites.length > 1 ? node.row.sites : [];
    const sites: Node[] = places.map((place) => ({ kind: "site", path: node.row.path, place }));
    if (node.row.line === 0) {
      return sites; // code at the top of a file has no callers
    }
    const [, children] = await this.ask(this.nav, `${node.row.path}:${node.row.line}`);
    return [...sites, ...children];
  }

  private async ask(nav: Nav, target: string): Promise<[SymbolRow, Node[]]> {
    switch (this.question) {
      case "callers": {
        const found = await nav.run<Callers>("callers", { target });
        return [found.symbol, callers(found)];
      }
      case "callees": {
        const found = await nav.run<Callees>("callees", { target });
        return [found.symbol, orNone(symbols(found.callees), "No callees found")];
      }
      case "impact": {
        const found = await nav.run<Impact>("impact", { target });
        return [found.symbol, impact(found)];
      }
    }
  }

  private item(row: Row | ImpactRow, evidence: string, line: number, column: number): vscode.TreeItem {
    const [icon, why] = ICONS[evidence] ?? ["circle-outline", evidence];
    const item = new vscode.TreeItem(row.symbol);
    item.description = `${row.path}${line ? `:${line}` : ""}`;
    item.tooltip = `${evidence}: ${why}`;
    item.accessibilityInformation = { label: `${row.symbol}, ${why}, ${item.description}` };
    item.iconPath = new vscode.ThemeIcon(icon);
    item.command = this.opener(row.path, line, column);
    return item;
  }

  private opener(path: string, line: number, column: number): vscode.Command | undefined {
    const uri = this.nav?.uri(path);
    return uri && { command: "nav.open", title: "Open", arguments: [uri, line, column] };
  }

  dispose(): void {
    this.view.dispose();
    this.changed.dispose();
  }
}

function callers(found: Callers): Node[] {
  const nodes = symbols(found.callers);
  if (found.uses.length > 0) {
    nodes.push({ kind: "group", label: "Used as a value", children: symbols(found.uses, "use") });
  }
  if (found.possible.length > 0) {
    const children: Node[] = found.possible.map((row) => ({ kind: "symbol", row, evidence: row.why }));
    nodes.push({ kind: "group", label: "Possible", children });
  }
  return orNone(nodes, "No callers found");
}

function impact(found: Impact): Node[] {
  const steps = [...new Set(found.rows.map((row) => row.depth))].sort((a, b) => a - b);
  const nodes: Node[] = steps.map((step) => ({
    kind: "group",
    label: step === 1 ? "1 step away" : `${step} steps away`,
    children: found.rows.filter((row) => row.depth === step).map((row) => ({ kind: "reached", row })),
  }));
  if (found.possible > 0) {
    nodes.push({ kind: "note", text: `${found.possible} more calls of that name whose receiver is not known` });
  }
  if (found.cut) {
    nodes.push({ kind: "note", text: "There is more than is shown" });
  }
  return orNone(nodes, "Nothing is known to depend on it");
}

function symbols(rows: CallerRow[], evidence?: string): Node[] {
  return rows.map((row) => ({ kind: "symbol", row, evidence: evidence ?? row.evidence }));
}

function orNone(nodes: Node[], text: string): Node[] {
  return nodes.length > 0 ? nodes : [{ kind: "note", text }];
}
