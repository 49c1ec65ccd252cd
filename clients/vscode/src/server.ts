// Finding `nav-ls`, and keeping one language client that talks to it alive.

import { existsSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import * as vscode from "vscode";
import { CloseAction, ErrorAction, LanguageClient, type LanguageClientOptions, RevealOutputChannelOn, type ServerOptions } from "vscode-languageclient/node";
import { message } from "./ask";
import { sharing } from "./sharing";
import type { Status } from "./status";

const WINDOWS = process.platform === "win32";

/** Milliseconds: the first restart, the longest wait for one, and how long a server must run to count as sound again. */
const FIRST = 500;
const LONGEST = 60_000;
const CALM = 60_000;

function program(name: string): string {
  return WINDOWS ? `${name}.exe` : name;
}

/** The server's program: the setting, the workspace's environment, PATH; undefined where there is none. */
export function findServer(): string | undefined {
  const chosen = vscode.workspace.getConfiguration("nav").get<string>("server.path", "");
  if (chosen) {
    return existsSync(chosen) ? chosen : undefined;
  }
  const environments = (vscode.workspace.workspaceFolders ?? []).map((folder) => join(folder.uri.fsPath, ".venv", WINDOWS ? "Scripts" : "bin"));
  // A program out of the workspace runs only where the user trusts the workspace.
  const folders = [...(vscode.workspace.isTrusted ? environments : []), ...(process.env.PATH ?? "").split(delimiter)];
  return folders.map((folder) => join(folder, program("nav-ls"))).find((path) => existsSync(path));
}

/** The command line's program, which is installed beside the server's. */
export function findCommandLine(): string {
  const server = findServer();
  const beside = server && join(dirname(server), program("nav"));
  return beside && existsSync(beside) ? beside : "nav";
}

/** Tells the log what goes wrong; what the user is told is decided here, and once. */
class QuietClient extends LanguageClient {
  override error(text: string, data?: unknown): void {
    super.error(text, data, false);
  }

  override info(text: string, data?: unknown): void {
    super.info(text, data, false);
  }
}

/** Starts the server, and starts it again when it dies: later each time, with one notice. */
export class Server implements vscode.Disposable {
  /** The client while it can be asked. */
  client: LanguageClient | undefined;
  private starting: LanguageClient | undefined;
  private failures = 0;
  private since = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly log: vscode.LogOutputChannel,
    private readonly told: (status: Status) => void,
    private readonly missing: () => void,
  ) {}

  /** Start it, or start it anew. */
  async start(): Promise<void> {
    await this.stop();
    const path = findServer();
    if (!path) {
      this.told({ state: "off", message: "nav-ls was not found." });
      this.missing();
      return;
    }
    this.told({ state: "indexing", message: "The server is starting." });
    const client = (this.starting = this.make(path));
    client.onNotification("nav/status", (status: Status) => this.told(status));
    try {
      await client.start();
    } catch (error) {
      this.log.error(message(error));
      this.ended(client);
      return;
    }
    if (this.starting === client) {
      this.client = client;
      this.since = Date.now();
    } else {
      await client.stop().catch(() => undefined); // it was replaced while it started
    }
  }

  /** End it, for good. */
  async stop(): Promise<void> {
    clearTimeout(this.timer);
    const ending = this.client;
    this.client = this.starting = undefined;
    await ending?.stop().catch(() => undefined); // it may have died before
  }

  dispose(): void {
    void this.stop();
  }

  private make(path: string): LanguageClient {
    const server: ServerOptions = { command: path, args: [] };
    let client: LanguageClient;
    const options: LanguageClientOptions = {
      documentSelector: [{ scheme: "file" }],
      outputChannel: this.log,
      revealOutputChannelOn: RevealOutputChannelOn.Never,
      middleware: sharing(),
      // `commands: false`: the commands of the palette are the extension's own; the client would register them again.
      initializationOptions: {
        codeLens: vscode.workspace.getConfiguration("nav").get("codeLens", false),
        conform: vscode.workspace.getConfiguration("nav").get("conform", false),
        commands: false,
      },
      errorHandler: {
        error: () => ({ action: ErrorAction.Continue, handled: true }),
        closed: () => {
          this.ended(client);
          return { action: CloseAction.DoNotRestart, handled: true, message: "The server has ended." };
        },
      },
    };
    client = new QuietClient("nav", "Nav", server, options);
    return client;
  }

  private ended(client: LanguageClient): void {
    if (this.starting !== client) {
      return; // stopped or replaced on purpose, or told already
    }
    if (this.client && Date.now() - this.since > CALM) {
      this.failures = 0;
    }
    this.client = this.starting = undefined;
    const delay = Math.min(FIRST * 2 ** this.failures++, LONGEST);
    const seconds = Math.round(delay / 1000) || 1;
    this.told({ state: "off", message: `The server ended; it is started again in ${seconds} s.` });
    this.log.warn(`The server ended; it is started again in ${delay} ms.`);
    this.timer = setTimeout(() => void this.start(), delay);
    if (this.failures === 1) {
      void this.notice();
    }
  }

  private async notice(): Promise<void> {
    const choice = await vscode.window.showWarningMessage("nav: the server ended and is being started again.", "Show Log");
    if (choice) {
      this.log.show();
    }
  }
}
