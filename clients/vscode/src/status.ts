// The status bar: fresh, indexing 43 %, stale, off.

import * as vscode from "vscode";
import type { LanguageClient } from "vscode-languageclient/node";

/** What the server says about itself in `nav/status`. */
export interface Status {
  state: "fresh" | "indexing" | "stale" | "off";
  percent?: number;
  message?: string;
}

const ICONS = { fresh: "$(check)", indexing: "$(sync~spin)", stale: "$(history)", off: "$(circle-slash)" };

export class StatusBar implements vscode.Disposable {
  private readonly item = vscode.window.createStatusBarItem("nav.status", vscode.StatusBarAlignment.Right, 40);

  constructor() {
    this.item.name = "Nav";
    this.item.command = "nav.showStatus";
    this.set({ state: "off", message: "The server has not started yet." });
    this.item.show();
  }

  set(status: Status): void {
    const percent = status.state === "indexing" && status.percent !== undefined ? ` ${status.percent} %` : "";
    this.item.text = `${ICONS[status.state]} nav`;
    this.item.text += status.state === "fresh" ? "" : ` ${status.state}${percent}`;
    this.item.tooltip = status.message || `nav: ${status.state}`;
    this.item.accessibilityInformation = { label: `nav ${status.state}${percent}${status.message ? `: ${status.message}` : ""}`, role: "button" };
  }

  follow(client: LanguageClient): vscode.Disposable {
    return client.onNotification("nav/status", (status: Status) => this.set(status));
  }

  dispose(): void {
    this.item.dispose();
  }
}
