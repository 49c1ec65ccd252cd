// The tree of callers (or callees) in the side bar, with evidence, expandable as far as one likes.

import * as vscode from "vscode";
import type { Callees, CallerRow, Callers, Nav, Place, PossibleRow, SymbolRow } from "./ask";

export type Direction = "callers" | "callees";

type Node =
  | { kind: "root"; symbol: SymbolRow }
  | { kind: "group"; label: string; children: Node[] }
  | { kind: "symbol"; row: CallerRow | PossibleRow; evidence: string }
  | { kind: "site"; path: string; place: Place }
  | { kind: "note"; text: string };

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
  private direction: Direction = "callers";
  private roots: Node[] = [];

  /** Ask for a target and show the answer. */
  async find(nav: Nav, target: string, direction: Direction): Promise<void> {
    this.nav = nav;
    this.direction = direction;
    const [symbol, children] = await this.ask(target);
    this.roots = [{ kind: "root", symbol }, ...children];
    this.view.title = direction === "callers" ? "Callers" : "Callees";
    this.view.description = symbol.symbol;
    this.changed.fire();
    await vscode.commands.executeCommand("nav.callers.focus");
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
        const [icon, why] = ICONS[node.evidence] ?? ["circle-outline", node.evidence];
        const item = new vscode.TreeItem(node.row.symbol, vscode.TreeItemCollapsibleState.Collapsed);
        // A callee's sites stand in the caller's file: it is shown where it is defined.
        const first = this.direction === "callers" ? node.row.sites[0] : undefined;
        item.description = `${node.row.path}${first ? `:${first.line}` : ""}`;
        item.tooltip = `${node.evidence}: ${why}`;
        item.accessibilityInformation = { label: `${node.row.symbol}, ${why}, ${item.description}` };
        item.iconPath = new vscode.ThemeIcon(icon);
        item.command = this.opener(node.row.path, first?.line ?? node.row.line, first?.column ?? 1);
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
    if (node.kind !== "symbol") {
      return [];
    }
    const sites: Node[] = this.direction === "callers" && node.row.sites.length > 1 ? node.row.sites.map((place) => ({ kind: "site", path: node.row.path, place })) : [];
    if (node.row.line === 0) {
      return sites; // code at the top of a file has no callers
    }
    const [, children] = await this.ask(`${node.row.path}:${node.row.line}`);
    return [...sites, ...children];
  }

  private async ask(target: string): Promise<[SymbolRow, Node[]]> {
    const nav = this.nav;
    if (!nav) {
      throw new Error("nav is not running");
    }
    if (this.direction === "callees") {
      const found = await nav.run<Callees>("callees", { target });
      return [found.symbol, found.callees.map((row) => ({ kind: "symbol", row, evidence: row.evidence }))];
    }
    const found = await nav.run<Callers>("callers", { target });
    const nodes: Node[] = found.callers.map((row) => ({ kind: "symbol", row, evidence: row.evidence }));
    if (found.uses.length > 0) {
      nodes.push({ kind: "group", label: "Used as a value", children: found.uses.map((row) => ({ kind: "symbol", row, evidence: "use" })) });
    }
    if (found.possible.length > 0) {
      nodes.push({ kind: "group", label: "Possible", children: found.possible.map((row) => ({ kind: "symbol", row, evidence: row.why })) });
    }
    if (nodes.length === 0) {
      nodes.push({ kind: "note", text: "No callers found" });
    }
    return [found.symbol, nodes];
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
