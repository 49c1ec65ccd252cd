// One way to run a nav command, and the shapes of what comes back (see `nav_ls/commands`).

import * as vscode from "vscode";
import { ExecuteCommandRequest, type LanguageClient } from "vscode-languageclient/node";

export interface Freshness {
  branch: string;
  commit: string;
  generation: number;
  stale: boolean;
  dirty: number;
  pending: number;
  reason: string;
}

export interface Place {
  line: number;
  column: number;
}

export interface SymbolRow {
  path: string;
  symbol: string;
  kind: string;
  line: number;
  column: number;
  signature: string;
}

export interface CallerRow {
  path: string;
  symbol: string;
  line: number;
  evidence: string;
  sites: Place[];
}

export interface PossibleRow {
  path: string;
  symbol: string;
  line: number;
  why: string;
  sites: Place[];
}

export interface Callers {
  symbol: SymbolRow;
  callers: CallerRow[];
  uses: CallerRow[];
  possible: PossibleRow[];
  total: number;
  possible_total: number;
  freshness: Freshness;
}

export interface Callees {
  symbol: SymbolRow;
  callees: CallerRow[];
  freshness: Freshness;
}

export interface Hit {
  path: string;
  line: number;
  symbol: string;
  kind: string;
  layer: string;
  score: number;
  why: unknown;
  signature?: string;
  snippet?: string;
}

export interface ImpactRow {
  path: string;
  symbol: string;
  line: number;
  depth: number;
  evidence: string;
  via: string;
  test: boolean;
}

export interface Impact {
  symbol: SymbolRow;
  rows: ImpactRow[];
  possible: number;
  cut: boolean;
  freshness: Freshness;
}

/** What an error says to people. */
export function message(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

interface Options {
  token?: vscode.CancellationToken;
  /** false: answer from what is known already, without waiting for the disk. */
  sync?: boolean;
  /** Under which the server tells how far it is. */
  workDoneToken?: string;
}

/** Asks the server, on behalf of one workspace folder. */
export class Nav {
  constructor(
    readonly client: LanguageClient,
    readonly folder: vscode.WorkspaceFolder,
  ) {}

  /** Run `nav.<name>`; rejects with the server's message. */
  run<T>(name: string, params: object, { token, sync = true, workDoneToken }: Options = {}): Promise<T> {
    const request = { command: `nav.${name}`, arguments: [params, { root: this.folder.uri.fsPath, sync }], workDoneToken };
    return this.client.sendRequest(ExecuteCommandRequest.type, request, token) as Promise<T>;
  }

  /** A path of the index as a URI. */
  uri(path: string): vscode.Uri {
    return vscode.Uri.joinPath(this.folder.uri, path);
  }

  /** A place (line from 0) as a target of `nav.callers` and its like. */
  target(uri: vscode.Uri, line: number): string {
    return `${vscode.workspace.asRelativePath(uri, false)}:${line + 1}`;
  }
}

/** Show a place (lines and columns from 1; line 0 is the top of the file). */
export async function show(uri: vscode.Uri, line: number, column = 1, preview = false): Promise<void> {
  const at = new vscode.Position(Math.max(0, line - 1), Math.max(0, column - 1));
  await vscode.window.showTextDocument(uri, {
    selection: new vscode.Range(at, at),
    preview,
    preserveFocus: preview,
  });
}
