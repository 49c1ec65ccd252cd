// The graph page in a panel.  The page asks by messages; this end hands the questions to the server.

import * as vscode from "vscode";
import { message, type Nav, show } from "./ask";
import type { Status } from "./status";

interface Question {
  id: number;
  command: string;
  params: object;
}

const ALLOWED = new Set(["callers", "callees", "search", "symbols", "status"]);

export class GraphPanel {
  private static current: GraphPanel | undefined;
  private readonly panel: vscode.WebviewPanel;

  /** Show the panel, around a target if there is one. */
  static async open(context: vscode.ExtensionContext, nav: Nav, target: string | undefined): Promise<void> {
    GraphPanel.current ??= new GraphPanel(await page(context), context, () => (GraphPanel.current = undefined));
    GraphPanel.current.nav = nav;
    GraphPanel.current.panel.reveal(undefined, true);
    if (target) {
      GraphPanel.current.post({ show: target });
    }
  }

  /** Show what the server says about itself, if the panel is there. */
  static tell(status: Status): void {
    GraphPanel.status = status;
    GraphPanel.current?.post({ status });
  }

  private static status: Status | undefined;
  private nav: Nav | undefined;
  private ready = false;
  private waiting: object[] = [];

  /** What is posted before the page listens would be lost. */
  private post(what: object): void {
    if (this.ready) {
      void this.panel.webview.postMessage(what);
    } else {
      this.waiting.push(what);
    }
  }

  private constructor(html: string, context: vscode.ExtensionContext, gone: () => void) {
    const root = vscode.Uri.joinPath(context.extensionUri, "dist", "ui");
    this.panel = vscode.window.createWebviewPanel("nav.graph", "Nav: Graph", vscode.ViewColumn.Beside, {
      enableScripts: true,
      retainContextWhenHidden: true,
      localResourceRoots: [root],
    });
    const { webview } = this.panel;
    webview.onDidReceiveMessage((received) => void this.answer(received));
    webview.html = html
      .replaceAll("{{base}}", webview.asWebviewUri(root).toString())
      .replaceAll("{{csp}}", `default-src 'none'; style-src ${webview.cspSource}; script-src ${webview.cspSource}; img-src ${webview.cspSource} data:`);
    this.panel.onDidDispose(gone);
  }

  private async answer(received: Question | { ready: true } | { open: { path: string; line: number } } | { save: string }): Promise<void> {
    const nav = this.nav;
    if (!nav) {
      return;
    }
    if ("ready" in received) {
      this.ready = true;
      const status = GraphPanel.status;
      [...(status ? [{ status }] : []), ...this.waiting.splice(0)].forEach((what) => this.post(what));
    } else if ("open" in received) {
      await show(nav.uri(received.open.path), received.open.line);
    } else if ("save" in received) {
      await save(received.save);
    } else if (ALLOWED.has(received.command)) {
      const reply = await nav.run(received.command, received.params).then(
        (result) => ({ result }),
        (error: unknown) => ({ error: message(error) }),
      );
      await this.panel.webview.postMessage({ id: received.id, ...reply });
    }
  }
}

async function page(context: vscode.ExtensionContext): Promise<string> {
  const file = vscode.Uri.joinPath(context.extensionUri, "dist", "ui", "index.html");
  return new TextDecoder().decode(await vscode.workspace.fs.readFile(file));
}

async function save(svg: string): Promise<void> {
  const target = await vscode.window.showSaveDialog({ filters: { SVG: ["svg"] } });
  if (target) {
    await vscode.workspace.fs.writeFile(target, new TextEncoder().encode(svg));
  }
}
