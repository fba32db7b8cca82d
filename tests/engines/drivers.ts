// Drives Firefox with WebDriver BiDi and WebKit with classic WebDriver. Both have the same format for input actions.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../embedded/port.ts'
import { temporaryFolder } from '../running.ts'

export interface Driver {
  navigate(url: string): Promise<unknown>
  reload(): Promise<unknown>
  resize(width: number, height: number): Promise<unknown>
  /** Calls a function in the page with arguments in JSON, and returns its result in JSON. */
  call(source: string, json: string): Promise<string>
  perform(inputs: object[]): Promise<unknown>
  /** Returns a PNG in base64. */
  screenshot(): Promise<string>
  close(): Promise<void>
}

/** The engines that the other browser tests don't use, or null if they aren't installed. */
export const ENGINES: Record<string, (() => Promise<Driver>) | null> = {
  Firefox: installed('firefox-esr') ? openFirefox : null,
  WebKit: installed('WebKitWebDriver', 'Xvfb', 'dbus-run-session') ? openWebKit : null,
}

function installed(...programs: string[]): boolean {
  const folders = (process.env.PATH ?? '').split(path.delimiter)
  return programs.every((program) => folders.some((folder) => existsSync(path.join(folder, program))))
}

/** A page that hangs also hangs its driver, so every command has a time limit, and none follows one that ran into it. */
const LIMIT_MS = 20_000

function limiter() {
  const hung = Promise.withResolvers<never>()
  hung.promise.catch(() => undefined)
  return async <T>(command: string, response: Promise<T>): Promise<T> => {
    const timer = setTimeout(() => hung.reject(new Error(`The browser hangs in ${command}`)), LIMIT_MS)
    return Promise.race([hung.promise, response]).finally(() => clearTimeout(timer))
  }
}

// The time zone of the sample's owner.
const ENVIRONMENT = { TZ: 'America/Los_Angeles', GSETTINGS_BACKEND: 'memory' }

/** Starts a program with a process group of its own, and returns what its output says. */
async function launch(stack: AsyncDisposableStack, command: string[], pattern: RegExp, env = {}) {
  const [program, ...args] = command
  const child = spawn(program!, args, { detached: true, env: { ...process.env, ...ENVIRONMENT, ...env } })
  const ended = once(child, 'exit')
  const kill = () => {
    if (child.exitCode === null && child.signalCode === null) process.kill(-child.pid!, 'SIGKILL')
  }
  process.once('exit', kill)
  stack.defer(async () => {
    process.off('exit', kill)
    kill()
    await ended
  })
  const printed: string[] = []
  const found = Promise.withResolvers<string>()
  for (const input of [child.stdout, child.stderr]) {
    createInterface({ input }).on('line', (line) => {
      printed.push(line)
      const match = pattern.exec(line)
      if (match) found.resolve(match[1]!)
    })
  }
  const failed = async (after: Promise<unknown>) => {
    await after
    throw new Error(`${program} did not start:\n${printed.join('\n')}`)
  }
  return Promise.race([found.promise, failed(ended), failed(sleep(LIMIT_MS, undefined, { ref: false }))])
}

type Answer = { id: number; result: unknown; message?: string }

async function openFirefox(): Promise<Driver> {
  await using stack = new AsyncDisposableStack()
  const { folder, remove } = await temporaryFolder()
  stack.defer(remove)
  // Without a display, Firefox finds no mouse. 6: a fine pointer that can hover.
  const pointers = ['primary', 'all'].map((which) => `user_pref('ui.${which}PointerCapabilities', 6);`)
  await writeFile(path.join(folder, 'user.js'), pointers.join('\n'))
  const command = ['firefox-esr', '--headless', '--remote-debugging-port=0', '--profile', folder]
  const address = await launch(stack, command, /WebDriver BiDi listening on (\S+)/)
  const socket = new WebSocket(`${address}/session`)
  await once(socket, 'open')
  stack.defer(() => socket.close())
  const pending = new Map<number, (answer: Answer) => void>()
  socket.addEventListener('message', ({ data }) => {
    const answer = JSON.parse(data) as Answer
    pending.get(answer.id)?.(answer)
    pending.delete(answer.id)
  })
  const limited = limiter()
  let id = 0
  const send = async <T>(method: string, params: object = {}) => {
    const response = Promise.withResolvers<Answer>()
    pending.set((id += 1), response.resolve)
    socket.send(JSON.stringify({ id, method, params }))
    const { result, message } = await limited(method, response.promise)
    if (message !== undefined) throw new Error(`${method}: ${message}`)
    return result as T
  }
  await send('session.new', { capabilities: {} })
  // Firefox's first tab never has the focus.
  const { context } = await send<{ context: string }>('browsingContext.create', { type: 'tab' })
  const started = stack.move()
  return {
    navigate: (url) => send('browsingContext.navigate', { context, url, wait: 'complete' }),
    reload: () => send('browsingContext.reload', { context, wait: 'complete' }),
    resize: (width, height) => send('browsingContext.setViewport', { context, viewport: { width, height } }),
    async call(source, value) {
      const functionDeclaration = `async (json) => JSON.stringify(await (${source})(...JSON.parse(json)) ?? null)`
      const { result, exceptionDetails } = await send<{
        result: { value: string }
        exceptionDetails?: { text: string }
      }>('script.callFunction', {
        functionDeclaration,
        arguments: [{ type: 'string', value }],
        awaitPromise: true,
        target: { context },
      })
      if (exceptionDetails) throw new Error(exceptionDetails.text)
      return result.value
    },
    perform: (actions) => send('input.performActions', { context, actions }),
    screenshot: async () =>
      (await send<{ data: string }>('browsingContext.captureScreenshot', { context })).data,
    close: () => started.disposeAsync(),
  }
}

async function openWebKit(): Promise<Driver> {
  await using stack = new AsyncDisposableStack()
  const xvfb = ['Xvfb', '-displayfd', '1', '-screen', '0', '1600x1300x24', '-nolisten', 'tcp']
  const display = await launch(stack, xvfb, /^(\d+)$/)
  const port = await freePort()
  const driver = ['dbus-run-session', '--', 'sh', '-c', `echo ready; exec WebKitWebDriver --port=${port}`]
  const { folder, remove } = await temporaryFolder()
  stack.defer(remove)
  // The toolbar would keep the window from getting as narrow as a phone.
  await mkdir(path.join(folder, 'gtk-3.0'))
  await writeFile(path.join(folder, 'gtk-3.0/gtk.css'), '* { min-width: 0; padding: 0; font-size: 1px }')
  // Compositing with OpenGL needs half the CPU time without a graphics card. Nothing runs long enough to be worth optimizing.
  const software = { WEBKIT_DISABLE_DMABUF_RENDERER: '1', JSC_useDFGJIT: '0' }
  await launch(stack, driver, /(ready)/, { ...software, DISPLAY: `:${display}`, XDG_CONFIG_HOME: folder })
  const limited = limiter()
  const send = async <T>(method: string, command: string, body?: object) => {
    const init = { method, ...(body && { body: JSON.stringify(body) }) }
    const response = await limited(command, fetch(`http://127.0.0.1:${port}/${command}`, init))
    const { value } = (await response.json()) as { value: T & { message?: string } }
    if (!response.ok) throw new Error(`${command}: ${value.message}`)
    return value
  }
  const isUp = () => send('GET', 'status').catch(() => null)
  for (let tries = 0; tries < 100 && !(await isUp()); tries += 1) await sleep(50)
  const { sessionId } = await send<{ sessionId: string }>('POST', 'session', { capabilities: {} })
  const post = <T>(command: string, body: object = {}) =>
    send<T>('POST', `session/${sessionId}/${command}`, body)
  const started = stack.move()
  return {
    navigate: (url) => post('url', { url }),
    reload: () => post('refresh'),
    async resize(width, height) {
      const script = 'return [outerWidth - innerWidth, outerHeight - innerHeight]'
      const [sides, bars] = await post<[number, number]>('execute/sync', { script, args: [] })
      // Without a window manager, the window below the pointer has the focus, which is in the middle of the screen.
      await post('window/rect', { x: 800 - width / 2, y: 0, width: width + sides, height: height + bars })
    },
    async call(source, json) {
      const script = `const [json, done] = arguments
        new Promise((resolve) => resolve((${source})(...JSON.parse(json)))).then(
          (value) => done([JSON.stringify(value ?? null)]), (error) => done([null, String(error)]))`
      const [value, error] = await post<[string, string?]>('execute/async', { script, args: [json] })
      if (error !== undefined) throw new Error(error)
      return value
    },
    perform: (actions) => post('actions', { actions }),
    screenshot: () => send<string>('GET', `session/${sessionId}/screenshot`),
    close: () => started.disposeAsync(),
  }
}
