// Living beside a language's own extension: by default nav answers only where nobody else does.

import * as vscode from "vscode";
import type { Middleware } from "vscode-languageclient/node";

type Mode = "fill" | "beside" | "commands";

/** Set while other providers are asked, so that our own stays silent and the question does not come back to us. */
let asking = 0;
function mode(): Mode {
  return vscode.workspace.getConfiguration("nav").get<Mode>("besideOthers", "fill");
}

async function unlessAnswered<T>(
  command: string,
  args: unknown[],
  answer: () => vscode.ProviderResult<T>,
): Promise<T | null | undefined> {
  if (mode() === "beside") {
    return await answer();
  }
  if (asking > 0 || mode() === "commands") {
    return undefined;
  }
  asking++;
  let others: unknown;
  try {
    others = await vscode.commands.executeCommand(command, ...args);
  } catch {
    others = undefined; // somebody else's provider failed: that is no answer
  } finally {
    asking--;
  }
  return Array.isArray(others) && others.length > 0 ? undefined : await answer();
}

/** The language client's hooks that keep results from being shown twice. */
export function sharing(): Middleware {
  return {
    provideDefinition: (document, position, token, next) =>
      unlessAnswered("vscode.executeDefinitionProvider", [document.uri, position], () => next(document, position, token)),
    provideReferences: (document, position, context, token, next) =>
      unlessAnswered("vscode.executeReferenceProvider", [document.uri, position], () => next(document, position, context, token)),
    provideImplementation: (document, position, token, next) =>
      unlessAnswered("vscode.executeImplementationProvider", [document.uri, position], () => next(document, position, token)),
    provideHover: (document, position, token, next) =>
      unlessAnswered("vscode.executeHoverProvider", [document.uri, position], () => next(document, position, token)),
    provideDocumentSymbols: (document, token, next) =>
      unlessAnswered("vscode.executeDocumentSymbolProvider", [document.uri], () => next(document, token)),
    provideDocumentHighlights: (document, position, token, next) =>
      unlessAnswered("vscode.executeDocumentHighlights", [document.uri, position], () => next(document, position, token)),
    provideWorkspaceSymbols: (query, token, next) =>
      unlessAnswered("vscode.executeWorkspaceSymbolProvider", [query], () => next(query, token)),
    // Of several providers of a hierarchy VS Code asks one: that of the language's own extension, if there is any.
    prepareCallHierarchy: (document, position, token, next) => (mode() === "commands" ? undefined : next(document, position, token)),
    prepareTypeHierarchy: (document, position, token, next) => (mode() === "commands" ? undefined : next(document, position, token)),
  };
}
