// The status bar: fresh, indexing 43 %, stale, asleep, off; and what a click on it offers.

import * as vscode from "vscode";
import type { Freshness, Nav } from "./ask";

/** What the server says about itself in `nav/status`. */
export interface Status {
  state: "fresh" | "indexing" | "stale" | "asleep" | "off";
  percent?: number;
  message?: string;
}

interface Details {
  files: number;
  symbols: number;
  edges: number;
  unresolved: number;
  skipped: unknown[];
  problems: unknown[];
  freshness: Freshness;
}

const ICONS = {
  fresh: "$(check)",
  indexing: "$(sync~spin)",
  stale: "$(history)",
  asleep: "$(coffee)",
  off: "$(circle-slash)",
};

export class StatusBar implements vscode.Disposable {
  private readonly item = vscode.window.createStatusBarItem("nav.status", vscode.StatusBarAlignment.Right, 40);
  private status: Status = { state: "off", message: "The server has not started yet." };

  constructor() {
    this.item.name = "Nav";
    this.item.command = "nav.showStatus";
    this.set(this.status);
    this.item.show();
  }

  set(status: Status): void {
    this.status = status;
    this.item.text = `${ICONS[status.state]} nav${status.state === "fresh" ? "" : ` ${this.state()}`}`;
    this.item.tooltip = status.message || `nav: ${status.state}`;
    this.item.accessibilityInformation = { label: `nav ${this.state()}${status.message ? `: ${status.message}` : ""}`, role: "button" };
  }

  /** The state with its details, and what can be done about it. */
  async show(nav: Nav | undefined): Promise<void> {
    const details = nav && (await nav.run<Details>("status", {}, { sync: false }));
    const rows: (vscode.QuickPickItem & { run?: () => unknown })[] = [
      { label: `${ICONS[this.status.state].replace("~spin", "")} ${this.state()}`, detail: this.status.message || undefined },
      ...(details ? facts(details) : []),
      { label: "", kind: vscode.QuickPickItemKind.Separator },
      ...(details ? [{ label: "$(json) Show Details", run: () => json(details) }] : []),
      action("$(output) Show Log", "nav.showLog"),
      action("$(refresh) Reindex", "nav.reindex"),
      action("$(debug-restart) Restart Server", "nav.restart"),
      { label: "$(gear) Settings", run: () => vscode.commands.executeCommand("workbench.action.openSettings", "nav.") },
    ];
    const chosen = await vscode.window.showQuickPick(rows, { title: "Nav: Status", placeHolder: "What to do?" });
    await chosen?.run?.();
  }

  private state(): string {
    const { state, percent } = this.status;
    return state === "indexing" && percent !== undefined ? `${state} ${percent} %` : state;
  }

  dispose(): void {
    this.item.dispose();
  }
}

function facts({ files, symbols, edges, unresolved, skipped, problems, freshness }: Details): vscode.QuickPickItem[] {
  const { branch, commit, generation, pending } = freshness;
  const number = (value: number): string => value.toLocaleString("en");
  return [
    { label: `$(git-branch) ${branch || "no branch"} ${commit.slice(0, 10)}`, description: `generation ${generation}` },
    { label: `$(files) ${number(files)} files`, description: `${skipped.length} left out, ${problems.length} with problems` },
    { label: `$(symbol-method) ${number(symbols)} definitions`, description: `${number(edges)} edges, ${number(unresolved)} calls not resolved` },
    ...(pending > 0 ? [{ label: `$(search) ${number(pending)} definitions wait for their vectors` }] : []),
  ];
}

function action(label: string, command: string): vscode.QuickPickItem & { run: () => unknown } {
  return { label, run: () => vscode.commands.executeCommand(command) };
}

async function json(value: unknown): Promise<void> {
  const content = JSON.stringify(value, undefined, 2);
  await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ language: "json", content }), { preview: true });
}
