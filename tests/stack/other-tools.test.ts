// Runs the recipes of docs/other-tools.md against a tracker with the sample data.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { ROOT } from '../../embedded/installation.ts'
import { freePort } from '../../embedded/port.ts'
import { createToken } from '../../supabase/functions/_shared/http/tokens.ts'
import { type OwnerClient, signIn } from '../owner.ts'
import { prepareSample, startPrepared } from '../postgres.ts'
import { type Running, temporaryFolder } from '../running.ts'
import { isInstalled } from '../servers.ts'
import { type Receiver, startReceiver } from '../sync/receiver.ts'

const PAGE = await readFile(path.join(ROOT, 'docs/other-tools.md'), 'utf8')
const blocksOf = (language: string) =>
  [...PAGE.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, 'gms'))].map(([, block]) => block!)
const oneOf = (language: string) => {
  const [block, ...others] = blocksOf(language)
  if (block === undefined || others.length > 0) throw new Error(`The page has not one ${language} block.`)
  return block
}

type Answer = Record<string, unknown>

let stack: Running
let owner: OwnerClient
let token: string
let ntfy: Receiver
let webhook: Receiver
/** The rows that the page names as the task 12, the part 31 and the bike 7. */
let ids: { task: number; part: number; bike: number }

const WEBHOOK_SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const NTFY = new URL(/^NTFY_URL=(.+)$/m.exec(oneOf('ini'))![1]!)

beforeAll(async () => {
  ;[ntfy, webhook] = await Promise.all([startReceiver(), startReceiver()])
  stack = await startPrepared(await prepareSample(), {
    NTFY_URL: `${ntfy.url}${NTFY.pathname}`,
    WEBHOOK_URL: webhook.url,
    WEBHOOK_SECRET,
  })
  owner = await signIn(stack.url)
  token = createToken()
  await owner.rpc('create_token', { token, name: 'Recipes', scope: 'read and write' }).throwOnError()
  const { data } = await owner
    .from('service_tasks')
    .select('id, part_id, maintenance:parts(maintenance(bikeId))')
    .eq('kind', 'service')
    .not('part_id', 'is', null)
    .limit(1)
    .single()
    .throwOnError()
  ids = {
    task: data.id,
    part: data.part_id,
    bike: (data.maintenance as unknown as { maintenance: { bikeId: number }[] }).maintenance[0]!.bikeId,
  }
})
afterAll(async () => {
  await stack.stop()
  await Promise.all([ntfy.close(), webhook.close()])
})

/** Replaces the page's examples by the tracker under test, its ids and its token. */
const here = (text: string, change = '') =>
  text
    .replaceAll('http://192.168.1.5:5173', stack.url)
    .replaceAll('tasks/12/', `tasks/${ids.task}/`)
    .replaceAll('parts/31/', `parts/${ids.part}/`)
    .replaceAll('bike=7', `bike=${ids.bike}`)
    .replaceAll('`bike`: `7`', `\`bike\`: \`${ids.bike}\``)
    // Home Assistant's template for the first day of this month.
    .replaceAll("{{ now().strftime('%Y-%m-01') }}", `${new Date().toISOString().slice(0, 7)}-01`)
    .replaceAll('Bearer rmt_…', `Bearer ${token}`)
    .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, change)

async function answerOf(url: string, init: RequestInit): Promise<Answer> {
  const response = await fetch(url, init)
  expect([response.status, url]).toEqual([200, url])
  return (await response.json()) as Answer
}

/** Sends the request of a curl command. Throws if it has other options than these. */
function runCurl(command: string): Promise<Answer> {
  const words = [...command.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map((found) => found.slice(1).join(''))
  const [curl, option, bearer, ...rest] = words
  const [json, body, url] = rest.length === 1 ? [undefined, undefined, rest[0]] : rest
  expect([curl, option, bearer, json ?? '--json']).toEqual(['curl', '--oauth2-bearer', '$TOKEN', '--json'])
  return answerOf(url!, {
    headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { method: 'POST', body }),
  })
}

test('curl', async () => {
  const answers: Answer[] = []
  for (const command of blocksOf('sh').flatMap((block) => block.trim().split('\n'))) {
    const change = String(answers.at(-1)?.change)
    answers.push(await runCurl(here(command, change)))
  }
  const [summary, due, parts, log, rides, spending, done, snoozed, undone, ...others] = answers
  expect(summary).toMatchObject({ due: expect.any(Number), units: 'mi', currency: 'USD' })
  expect(due!.tasks).toHaveLength(Number(summary!.due) + Number(summary!.soon))
  expect((parts!.parts as { id: number }[]).map(({ id }) => id)).toContain(ids.part)
  expect((log!.entries as object[]).length).toBeGreaterThan(0)
  expect([rides!.distance, spending!.cost]).not.toContain(0)
  expect(done).toMatchObject({ event_id: expect.any(Number), change: expect.any(String) })
  expect(snoozed).toMatchObject({ change: expect.any(String) })
  expect(undone).toMatchObject({ restored: 1, change: expect.any(String) })
  expect(others).toEqual([])
})

const fieldsOf = (template: string) => [...template.matchAll(/value_json\.(\w+)/g)].map(([, name]) => name!)
const headersOf = (headers: Record<string, string>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, here(value)]))

describe('Home Assistant', () => {
  interface Rest {
    resource?: string
    resource_template?: string
    headers: Record<string, string>
    sensor: Sensor[]
    binary_sensor?: Sensor[]
  }
  interface Sensor {
    name: string
    value_template: string
    json_attributes?: string[]
  }
  interface Command {
    url: string
    method: string
    headers: Record<string, string>
    content_type: string
    payload: string
  }
  interface Automation {
    triggers: { trigger: string; webhook_id?: string }[]
    actions: { action: string; data: Record<string, string | number> }[]
  }
  const secret = {
    tag: '!secret',
    resolve: (name: string) => new RegExp(`\`${name}: (Bearer rmt_…)\``).exec(PAGE)![1]!,
  }
  const [configuration, automations] = blocksOf('yaml').map((block) => parse(block, { customTags: [secret] }))
  const { rest, rest_command: commands } = configuration as {
    rest: Rest[]
    rest_command: Record<string, Command>
  }

  test.each(rest)('a request has the fields of its sensors: $sensor.0.name', async (request) => {
    const { resource, resource_template, headers, sensor, binary_sensor = [] } = request
    const answer = await answerOf(here(resource ?? resource_template!), { headers: headersOf(headers) })
    for (const { name, value_template, json_attributes = [] } of [...sensor, ...binary_sensor]) {
      const fields = [...fieldsOf(value_template), ...json_attributes]
      expect([name, fields.length > 0]).toEqual([name, true])
      for (const field of fields) expect(answer).toHaveProperty(field)
    }
  })

  test('the tag’s automation marks the task done', async () => {
    const [{ actions }] = automations as [Automation, Automation]
    const [done, update] = actions
    const command = commands[done!.action.replace('rest_command.', '')]!
    expect(done!.data).toEqual({ task: 12 })
    const url = here(command.url.replace('{{ task }}', String(done!.data.task)))
    const answer = await answerOf(url, {
      method: command.method,
      headers: { ...headersOf(command.headers), 'content-type': command.content_type },
      body: command.payload,
    })
    expect(answer).toMatchObject({ event_id: expect.any(Number) })
    const entities = rest.flatMap(({ sensor }) =>
      sensor.map(({ name }) => `sensor.${name.toLowerCase().replaceAll(' ', '_')}`),
    )
    expect(entities).toContain(update!.data.entity_id)
  })

  test('the webhook’s automation shows what the tracker sends', async () => {
    webhook.received.length = 0
    await sendTest('webhook')
    const [, { triggers, actions }] = automations as [Automation, Automation]
    expect(PAGE).toContain(`/api/webhook/${triggers[0]!.webhook_id}\``)
    const trigger = { json: JSON.parse(webhook.received[0]!.body.toString()) as object }
    const templates = Object.values(actions[0]!.data).map(String)
    const paths = templates.map((template) => /^\{\{ trigger\.(\S+) \}\}$/.exec(template)![1]!)
    for (const path of paths) expect(trigger).toHaveProperty(path, expect.stringMatching(/\S/))
  })
})

test('Homepage', async () => {
  interface Service {
    widget: { url: string; headers: Record<string, string>; mappings: { field: string; format?: string }[] }
  }
  const [group] = parse(blocksOf('yaml')[2]!) as Record<string, Record<string, Service>[]>[]
  const [{ widget }] = Object.values(Object.values(group!)[0]![0]!) as [Service]
  const variable = /\{\{(HOMEPAGE_VAR_\w+)\}\}/.exec(widget.headers.Authorization!)!
  expect(PAGE).toContain(`\`${variable[1]}\``)
  const authorization = widget.headers.Authorization!.replace(variable[0], token)
  const answer = await answerOf(here(widget.url), { headers: { authorization } })
  for (const { field, format = 'text' } of widget.mappings)
    expect([field, typeof answer[field]]).toEqual([field, format === 'number' ? 'number' : 'string'])
})

const SHORTCUT = /^\| (\S[^|]*?) +\| `(GET|POST)` +\| `(\S+)` +\| (.*?) +\| (.*?) +\|$/gm
const shortcuts = [...PAGE.matchAll(SHORTCUT)].map(
  (row) => row.slice(1) as [string, string, string, string, string],
)
test('the page has shortcuts', () => expect(shortcuts.length).toBeGreaterThan(3))
test.each(shortcuts)('iOS Shortcut: %s', async (_, method, url, fields, keys) => {
  const given = [...here(fields).matchAll(/`(\w+)`: `([^`]+)`( \(Number\))?/g)]
  const body = Object.fromEntries(given.map(([, name, text, number]) => [name, number ? Number(text) : text]))
  const answer = await answerOf(here(url), {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(method === 'POST' && { body: JSON.stringify(body) }),
  })
  const [key, ...nested] = [...keys.matchAll(/`(\w+)`/g)].map(([, name]) => name!)
  expect(answer).toHaveProperty(key!)
  const [first] = nested.length > 0 ? (answer[key!] as Answer[]) : []
  for (const name of nested) expect(first).toHaveProperty(name)
})

test('an MCP client', async () => {
  interface Server {
    type: string
    url: string
    headers: Record<string, string>
  }
  const { mcpServers } = JSON.parse(here(oneOf('json'))) as { mcpServers: Record<string, Server> }
  const [{ type, url, headers }, ...others] = Object.values(mcpServers) as [Server]
  expect([type, others]).toEqual(['http', []])
  const client = new Client({ name: 'recipes', version: '1' })
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }))
  const names = (await client.listTools()).tools.map(({ name }) => name)
  const [, documented] = /such as (.+?)\. With/.exec(PAGE.replaceAll('\n', ' '))!
  expect(names).toEqual(expect.arrayContaining([...documented!.matchAll(/`(\w+)`/g)].map(([, name]) => name)))
  const { structuredContent } = await client.callTool({ name: 'list_due', arguments: {} })
  expect(structuredContent).toHaveProperty('tasks')
  await client.close()
})

test('ntfy', async () => {
  ntfy.received.length = 0
  await sendTest('ntfy')
  expect(ntfy.received.map(({ path }) => path)).toEqual([NTFY.pathname])
  expect(ntfy.received[0]!.headers.click).toBe(`${stack.url}/#garage`)
})

test('the webhook receiver accepts what the tracker signed, and nothing else', async () => {
  webhook.received.length = 0
  await sendTest('webhook')
  const port = await freePort()
  const program = oneOf('js').replace('listen(8090)', `listen(${port})`)
  expect(program).toContain(`listen(${port})`)
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    cwd: ROOT,
    env: { ...process.env, WEBHOOK_SECRET },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const printed: string[] = []
  child.stdout.setEncoding('utf8').on('data', (text: string) => printed.push(text))
  const { headers, ...request } = webhook.received[0]!
  const body = request.body.toString()
  const send = async (body: string, headers: Record<string, string>) =>
    (await fetch(`http://127.0.0.1:${port}`, { method: 'POST', headers, body })).status
  const signed = Object.fromEntries(
    ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => [name, String(headers[name])]),
  )
  await expect.poll(() => send(body, signed).catch(() => null)).toBe(204)
  expect(await send(`${body} `, signed)).toBe(401)
  expect(await send(body, { ...signed, 'webhook-id': 'other' })).toBe(401)
  expect(await send(body, {})).toBe(401)
  const ended = once(child, 'exit')
  child.kill()
  await ended
  expect(printed.join('')).toBe('test Notifications about due tasks will arrive here.\n')
})

test.skipIf(!isInstalled('python3') || !isInstalled('openssl'))(
  'Python and openssl compute the signature of a webhook (needs both)',
  async () => {
    webhook.received.length = 0
    await sendTest('webhook')
    const { headers, body } = webhook.received[0]!
    const { folder, remove } = await temporaryFolder()
    await writeFile(path.join(folder, 'body'), body)
    const run = (command: string, args: string[], more: Record<string, string> = {}) =>
      execFileSync(command, args, {
        cwd: folder,
        env: { ...process.env, WEBHOOK_SECRET, ...more },
        encoding: 'utf8',
      }).trim()
    const verify = (more: string) =>
      run('python3', [
        '-c',
        `${oneOf('py')}\nimport json, sys\nprint(verify(open("body", "rb").read()${more}, json.loads(sys.argv[1])))`,
        JSON.stringify(headers),
      ])
    expect([verify(''), verify(' + b" "')]).toEqual(['True', 'False'])
    const [id, timestamp] = [String(headers['webhook-id']), String(headers['webhook-timestamp'])]
    const signature = run('bash', ['-c', oneOf('bash')], { WEBHOOK_ID: id, WEBHOOK_TIMESTAMP: timestamp })
    expect(`v1,${signature}`).toBe(headers['webhook-signature'])
    await remove()
  },
)

async function sendTest(channel: 'ntfy' | 'webhook') {
  const { data } = await owner.functions.invoke('channels', { body: { test: channel } })
  expect(data.channels).toContainEqual(expect.objectContaining({ channel, error: null }))
}
