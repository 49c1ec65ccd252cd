// The graph page in a panel.  The page asks by messages; this end hands the questions to the server.

import * as vscode from "vscode";
import { type Nav, show } from "./ask";
import { message } from "./palette";

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
      void GraphPanel.current.panel.webview.postMessage({ show: target });
    }
  }

  private nav: Nav | undefined;

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

  private async answer(received: Question | { open: { path: string; line: number } } | { save: string }): Promise<void> {
    const nav = this.nav;
    if (!nav) {
      return;
    }
    if ("open" in received) {
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
