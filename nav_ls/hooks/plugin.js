// Written by `nav hook install`; `nav hook uninstall` removes it.
// Hands each prompt to nav and adds what it answers.  A plugin that throws stops the prompt: nothing here may.
import { spawn } from "node:child_process"

const commands = "@COMMANDS@"
const largest = 1024 * 1024

const ask = (event, directory, payload) =>
  new Promise((resolve) => {
    const words = commands[event]
    if (!words) return resolve("")
    let child
    const done = (text) => {
      clearTimeout(clock)
      resolve(text)
    }
    const clock = setTimeout(() => {
      resolve("")
      try {
        child?.kill("SIGKILL")
      } catch {}
    }, 10000)
    try {
      child = spawn(words[0], words.slice(1), { cwd: directory, stdio: ["pipe", "pipe", "ignore"] })
      const parts = []
      let size = 0
      child.on("error", () => done(""))
      child.stdin.on("error", () => {})
      child.stdout.on("data", (part) => {
        size += part.length
        if (size <= largest) parts.push(part)
      })
      child.on("close", (code) => done(code === 0 && size <= largest ? Buffer.concat(parts).toString("utf8") : ""))
      child.stdin.end(JSON.stringify({ cwd: directory, hook_event_name: event, ...payload }))
    } catch {
      done("")
    }
  })

export const Nav = async ({ directory }) => {
  const digests = new Map()
  return {
    "chat.message": async (input, output) => {
      try {
        const own = (output.parts ?? []).filter((part) => part.type === "text" && !part.synthetic)
        if (own.length === 0) return
        const prompt = own.map((part) => part.text).join("\n")
        const text = await ask("user-prompt-submit", directory, { session_id: input.sessionID, prompt })
        if (!text) return
        // Ids are compared as text: this one comes after the part that it follows.
        output.parts.push({ ...own[own.length - 1], id: own[own.length - 1].id + "zznav", synthetic: true, text })
      } catch {}
    },
    "experimental.chat.system.transform": async (input, output) => {
      try {
        const session = input?.sessionID ?? ""
        if (!digests.has(session)) {
          digests.set(session, ask("session-start", directory, { session_id: session, source: "startup" }))
        }
        const text = await digests.get(session)
        if (text) output.system.push(text)
      } catch {}
    },
  }
}
