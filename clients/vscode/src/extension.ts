// Entry point: start the server, register the commands.  What can be computed is computed in the server.

import * as vscode from "vscode";
import { type LanguageClient, State } from "vscode-languageclient/node";
import { Nav, show } from "./ask";
import { CallersView, type Direction } from "./callersView";
import { GraphPanel } from "./graphPanel";
import { message, openPalette } from "./palette";
import { findServer, makeClient } from "./server";
import { StatusBar } from "./status";

let client: LanguageClient | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const log = vscode.window.createOutputChannel("Nav", { log: true });
  const status = new StatusBar();
  const callers = new CallersView();
  context.subscriptions.push(log, status, callers);

  const start = async (): Promise<void> => {
    await stop();
    const program = findServer();
    if (!program) {
      status.set({ state: "off", message: "nav-ls was not found." });
      void missing();
      return;
    }
    const starting = (client = makeClient(program, log));
    context.subscriptions.push(
      status.follow(starting),
      starting.onDidChangeState(({ newState }) => {
        if (newState === State.Stopped && client === starting) {
          status.set({ state: "off", message: "The server has stopped." });
        }
      }),
    );
    try {
      await starting.start();
      status.set({ state: "fresh" });
    } catch (error) {
      status.set({ state: "off", message: message(error) });
      log.error(message(error));
    }
  };

  const register = (name: string, run: (...args: never[]) => unknown): void => {
    context.subscriptions.push(
      vscode.commands.registerCommand(name, async (...args: never[]) => {
        try {
          return await run(...args);
        } catch (error) {
          void vscode.window.showErrorMessage(`nav: ${message(error)}`);
          return undefined;
        }
      }),
    );
  };

  const find = (direction: Direction) => async (uri?: vscode.Uri, line?: number): Promise<void> => {
    const nav = current(uri);
    const editor = vscode.window.activeTextEditor;
    const target = uri && line !== undefined ? `${vscode.workspace.asRelativePath(uri, false)}:${line}` : editor && nav.target(editor);
    if (!target) {
      throw new Error("open a file and put the cursor on a function first");
    }
    await callers.find(nav, target, direction);
  };

  register("nav.palette", (text?: string) => openPalette(current(), text));
  register("nav.findCallers", find("callers"));
  register("nav.findCallees", find("callees"));
  register("nav.open", (uri: vscode.Uri, line: number, column: number) => show(uri, line, column));
  register("nav.showImpact", async () => document(await current().run("impact", { target: here() })));
  register("nav.copyContext", async () => {
    const block = await current().run<{ text: string }>("context", { task: selectionOr(here()) });
    await vscode.env.clipboard.writeText(block.text);
    void vscode.window.setStatusBarMessage("nav: context copied", 3000);
  });
  register("nav.openGraph", () => {
    const editor = vscode.window.activeTextEditor;
    const nav = current();
    return GraphPanel.open(context, nav, editor && nav.target(editor));
  });
  register("nav.reindex", () =>
    vscode.window.withProgress({ location: vscode.ProgressLocation.Window, title: "nav: indexing" }, () => current().run("index", { full: true })),
  );
  register("nav.showStatus", async () => {
    log.show(true);
    log.info(client ? JSON.stringify(await current().run("status", {}), undefined, 2) : "The server is not running.");
  });
  register("nav.installHooks", () => {
    const terminal = vscode.window.createTerminal("nav hooks");
    terminal.show();
    terminal.sendText("nav hook install --dry-run", false);
  });
  register("nav.showLog", () => log.show());
  register("nav.restart", start);

  context.subscriptions.push(
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration("nav.server.path") || event.affectsConfiguration("nav.codeLens")) {
        void start();
      }
    }),
  );
  await start();
}

export async function deactivate(): Promise<void> {
  await stop();
}

async function stop(): Promise<void> {
  const ending = client;
  client = undefined;
  await ending?.stop().catch(() => undefined); // it may have died before
}

/** The asker for a file's folder, the active editor's, or the only one. */
function current(uri?: vscode.Uri): Nav {
  if (!client) {
    throw new Error("the server is not running; see the Nav log");
  }
  const wanted = uri ?? vscode.window.activeTextEditor?.document.uri;
  const folder = (wanted && vscode.workspace.getWorkspaceFolder(wanted)) ?? vscode.workspace.workspaceFolders?.[0];
  if (!folder) {
    throw new Error("open a folder first");
  }
  return new Nav(client, folder);
}

function here(): string {
  const editor = vscode.window.activeTextEditor;
  if (!editor) {
    throw new Error("open a file and put the cursor on a function first");
  }
  return current().target(editor);
}

function selectionOr(fallback: string): string {
  const editor = vscode.window.activeTextEditor;
  return (editor && editor.document.getText(editor.selection)) || fallback;
}

async function document(value: unknown): Promise<void> {
  const content = JSON.stringify(value, undefined, 2);
  await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ language: "json", content }), { preview: true });
}

async function missing(): Promise<void> {
  const choice = await vscode.window.showWarningMessage(
    "nav-ls was not found: neither in the setting nav.server.path, nor in the workspace's .venv, nor on PATH.",
    "Show How to Install",
  );
  if (choice) {
    await vscode.commands.executeCommand("workbench.action.openWalkthrough", "nav-ls.nav#nav.start", false);
  }
}
