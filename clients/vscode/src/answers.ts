// Nav: Ask.  The answer is streamed into a document; what it cites opens with a click.

import * as vscode from "vscode";
import { ProgressType } from "vscode-languageclient/node";
import { message, type Nav } from "./ask";

const SCHEME = "nav-answer";
const REDRAW = 80; // milliseconds: pieces come faster than anybody reads
const CITATION = /((?:[\w@~+.$()-]+\/)*[\w@~+.$()-]*[\w)]):(\d{1,7})(?:[-–]\d{1,7})?/g;

interface Answer {
  marked: string;
  status: "answered" | "doubtful" | "nothing" | "broken" | "refused";
  citations: { text: string; path: string; line: number; status: string }[];
  model: string;
  notes: string[];
}

interface Piece {
  kind: string;
  partial?: { text: string };
}

const VERDICTS: Record<Answer["status"], string> = {
  answered: "Every place that it cites was shown to the model.",
  doubtful: "Not all that it says is backed by a place that was shown to the model: what is not is marked.",
  nothing: "The code that was shown does not show it.",
  broken: "The answer broke off.",
  refused: "The model refused to answer.",
};

interface Conversation {
  nav: Nav;
  session: string;
  text: string;
  /** Citations that do not hold: no links. */
  absent: Set<string>;
}

export class Answers implements vscode.TextDocumentContentProvider, vscode.DocumentLinkProvider, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.changed.event;
  private readonly conversations = new Map<string, Conversation>();
  private readonly registered = vscode.Disposable.from(
    vscode.workspace.registerTextDocumentContentProvider(SCHEME, this),
    vscode.languages.registerDocumentLinkProvider({ scheme: SCHEME }, this),
    vscode.workspace.onDidCloseTextDocument(({ uri }) => this.conversations.delete(uri.toString())),
  );
  private timer: NodeJS.Timeout | undefined;
  private count = 0;

  /** Ask for a question and show its answer; in a document with an answer it is a further question. */
  async ask(nav: Nav): Promise<void> {
    const active = vscode.window.activeTextEditor?.document.uri;
    const before = active && this.conversations.get(active.toString());
    const question = await vscode.window.showInputBox({
      title: "Nav: Ask",
      prompt: "Excerpts of the repository go to the language model that you have configured.",
      placeHolder: before ? "A further question" : "How does … work? Where is … decided?",
      ignoreFocusOut: true,
    });
    if (!question?.trim()) {
      return;
    }
    const uri = before && active ? active : vscode.Uri.from({ scheme: SCHEME, path: `/Answer ${++this.count}.md` });
    const conversation = before ?? { nav, session: `vscode-${Date.now()}-${this.count}`, text: "", absent: new Set<string>() };
    this.conversations.set(uri.toString(), conversation);
    const start = `${conversation.text}# ${question.trim()}\n\n`;
    conversation.text = start;
    this.changed.fire(uri);
    await vscode.window.showTextDocument(uri, { preview: false });
    await vscode.window.withProgress({ location: vscode.ProgressLocation.Window, title: "nav: asking", cancellable: true }, (_, token) =>
      this.stream(uri, conversation, start, question, token),
    );
  }

  private async stream(uri: vscode.Uri, conversation: Conversation, start: string, question: string, token: vscode.CancellationToken): Promise<void> {
    const { nav, session } = conversation;
    const workDoneToken = `nav-ask-${Date.now()}`;
    const pieces = nav.client.onProgress(new ProgressType<Piece>(), workDoneToken, ({ partial }) => {
      conversation.text += partial?.text ?? "";
      this.redraw(uri);
    });
    try {
      const answer = await nav.run<Answer>("ask", { question, session }, { token, workDoneToken });
      conversation.text = start + finished(answer);
      answer.citations.filter(({ status }) => status !== "valid").forEach(({ text }) => conversation.absent.add(text));
    } catch (error) {
      conversation.text += `\n\n> ${message(error).replaceAll("\n", "\n> ")}\n\n`;
    } finally {
      pieces.dispose();
      clearTimeout(this.timer);
      this.timer = undefined;
      this.changed.fire(uri);
    }
  }

  private redraw(uri: vscode.Uri): void {
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      this.changed.fire(uri);
    }, REDRAW);
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.conversations.get(uri.toString())?.text ?? "";
  }

  provideDocumentLinks(document: vscode.TextDocument): vscode.DocumentLink[] {
    const conversation = this.conversations.get(document.uri.toString());
    if (!conversation) {
      return [];
    }
    return [...document.getText().matchAll(CITATION)]
      .filter(([text]) => !conversation.absent.has(text))
      .map((match) => {
        const [text, path = "", line = "1"] = match;
        const range = new vscode.Range(document.positionAt(match.index), document.positionAt(match.index + text.length));
        return new vscode.DocumentLink(range, conversation.nav.uri(path).with({ fragment: `L${line}` }));
      });
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.registered.dispose();
    this.changed.dispose();
  }
}

function finished({ marked, status, model, notes }: Answer): string {
  const told = [VERDICTS[status], ...notes, ...(model ? [`Model: ${model}`] : [])];
  return `${marked}\n\n*${told.map((line) => line.replace(/\.$/, "")).join(" · ")}*\n\n`;
}
