// Entry point: start the server, register the commands.  What can be computed is computed in the server.

import * as vscode from "vscode";
import { message, Nav, show } from "./ask";
import { Answers } from "./answers";
import { CallersView, type Question } from "./callersView";
import { GraphPanel } from "./graphPanel";
import { openPalette } from "./palette";
import { findCommandLine, Server } from "./server";
import { type Status, StatusBar } from "./status";

let server: Server | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const log = vscode.window.createOutputChannel("Nav", { log: true });
  const bar = new StatusBar();
  const callers = new CallersView();
  const answers = new Answers();
  const running = (server = new Server(
    log,
    (status: Status) => {
      bar.set(status);
      GraphPanel.tell(status);
    },
    () => void missing(),
  ));
  context.subscriptions.push(log, bar, callers, answers, running);

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
  const find = (question: Question) => () => callers.find(current(), here(), question);

  register("nav.palette", (text?: string) => openPalette(current(), text));
  register("nav.findCallers", find("callers"));
  register("nav.findCallees", find("callees"));
  register("nav.showImpact", find("impact"));
  // A code lens: where the definition is.
  register("nav.showCallers", (uri: string, { line }: vscode.Position) => {
    const file = vscode.Uri.parse(uri);
    const nav = current(file);
    return callers.find(nav, nav.target(file, line), "callers");
  });
  register("nav.open", (uri: vscode.Uri, line: number, column: number) => show(uri, line, column));
  register("nav.copyContext", async () => {
    const selected = selection();
    const nav = current();
    const block = await (selected ? nav.run<Block>("context", { task: selected }) : nav.run<Block>("show", { target: here() }));
    if (!block.text) {
      throw new Error(block.reason || "nothing here is worth telling an agent");
    }
    await vscode.env.clipboard.writeText(block.text);
    void vscode.window.showInformationMessage(`nav: the context is in the clipboard (${block.text.length.toLocaleString("en")} characters).`);
  });
  register("nav.ask", () => answers.ask(current()));
  register("nav.openGraph", () => {
    const editor = vscode.window.activeTextEditor;
    const nav = current();
    return GraphPanel.open(context, nav, editor && nav.target(editor.document.uri, editor.selection.active.line));
  });
  register("nav.reindex", () =>
    vscode.window.withProgress({ location: vscode.ProgressLocation.Window, title: "nav: indexing" }, () => current().run("index", { full: true })),
  );
  register("nav.showStatus", () => bar.show(server?.client && folder() ? current() : undefined));
  register("nav.installHooks", installHooks);
  register("nav.showLog", () => log.show());
  register("nav.restart", () => running.start());

  context.subscriptions.push(
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (["nav.server.path", "nav.codeLens", "nav.conform"].some((name) => event.affectsConfiguration(name))) {
        void running.start();
      }
    }),
  );
  await running.start();
}

export async function deactivate(): Promise<void> {
  await server?.stop();
}

interface Block {
  text: string;
  reason: string;
}

/** The folder of a file, of the active editor's, or the only one. */
function folder(uri?: vscode.Uri): vscode.WorkspaceFolder | undefined {
  const wanted = uri ?? vscode.window.activeTextEditor?.document.uri;
  return (wanted && vscode.workspace.getWorkspaceFolder(wanted)) ?? vscode.workspace.workspaceFolders?.[0];
}

/** The asker for a folder. */
function current(uri?: vscode.Uri): Nav {
  if (!server?.client) {
    throw new Error("the server is not running; the status bar and the Nav log say more");
  }
  const wanted = folder(uri);
  if (!wanted) {
    throw new Error("open a folder first");
  }
  return new Nav(server.client, wanted);
}

/** The cursor as a target. */
function here(): string {
  const editor = vscode.window.activeTextEditor;
  if (!editor) {
    throw new Error("open a file and put the cursor on a function first");
  }
  return current().target(editor.document.uri, editor.selection.active.line);
}

function selection(): string {
  const editor = vscode.window.activeTextEditor;
  return editor ? editor.document.getText(editor.selection) : "";
}

/** Show what would be installed, and leave it to the user to press Enter on what does it. */
function installHooks(): void {
  const program = findCommandLine();
  const quoted = process.platform === "win32" ? `& "${program}"` : `'${program.replaceAll("'", "'\\''")}'`;
  const terminal = vscode.window.createTerminal({ name: "nav hooks", cwd: folder()?.uri });
  terminal.show();
  terminal.sendText(`${quoted} hook install --dry-run`);
  terminal.sendText(`${quoted} hook install`, false);
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
