// Finding `nav-ls`, and the one language client that talks to it.

import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import * as vscode from "vscode";
import { LanguageClient, type LanguageClientOptions, RevealOutputChannelOn, type ServerOptions } from "vscode-languageclient/node";
import { sharing } from "./sharing";

const WINDOWS = process.platform === "win32";
const PROGRAM = WINDOWS ? "nav-ls.exe" : "nav-ls";

/** The server's program: the setting, the workspace's environment, PATH; undefined where there is none. */
export function findServer(): string | undefined {
  const chosen = vscode.workspace.getConfiguration("nav").get<string>("server.path", "");
  if (chosen) {
    return existsSync(chosen) ? chosen : undefined;
  }
  const environments = (vscode.workspace.workspaceFolders ?? []).map((folder) =>
    join(folder.uri.fsPath, ".venv", WINDOWS ? "Scripts" : "bin"),
  );
  // A program out of the workspace runs only where the user trusts the workspace.
  const folders = [...(vscode.workspace.isTrusted ? environments : []), ...(process.env.PATH ?? "").split(delimiter)];
  return folders.map((folder) => join(folder, PROGRAM)).find((path) => existsSync(path));
}

/** A client that is not started yet. */
export function makeClient(program: string, log: vscode.LogOutputChannel): LanguageClient {
  const server: ServerOptions = { command: program, args: [] };
  const options: LanguageClientOptions = {
    documentSelector: [{ scheme: "file" }],
    outputChannel: log,
    revealOutputChannelOn: RevealOutputChannelOn.Never,
    middleware: sharing(),
    // `commands: false`: the commands of the palette are the extension's own; the client would register them again.
    initializationOptions: {
      codeLens: vscode.workspace.getConfiguration("nav").get("codeLens", false),
      commands: false,
    },
    connectionOptions: { maxRestartCount: 8 },
  };
  return new LanguageClient("nav", "Nav", server, options);
}
