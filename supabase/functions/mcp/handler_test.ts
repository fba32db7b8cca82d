import assert from 'node:assert/strict'
import { createAccess } from '../_shared/commands/access.ts'
import { fakeQuery, recordLog } from '../_shared/testing.ts'
import { createToken } from '../_shared/http/tokens.ts'
import { createMcp } from './handler.ts'

/** Sends a message without a handshake, with a token of `scope` for which every command answers `answer`. */
async function send(
  scope: 'read' | 'read and write',
  method: string,
  params: object = {},
  answer: unknown = null,
) {
  const query = fakeQuery({ run_command_as: () => ({ scope, answer, settings: null }) })
  const mcp = createMcp({
    access: createAccess({ query, now: Date.now, sync: () => assert.fail('No sync') }),
    log: recordLog().log,
  })
  const response = await mcp(
    new Request('http://127.0.0.1/functions/v1/mcp', {
      method: 'POST',
      headers: {
        Accept: 'application/json, text/event-stream',
        Authorization: `Bearer ${createToken()}`,
        'Content-Type': 'application/json',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    }),
  )
  assert.equal(response.headers.get('Cache-Control'), 'no-store')
  const [json = ''] = /\{.*\}/.exec(await response.text()) ?? []
  return JSON.parse(json).result
}

const toolsOf = async (scope: 'read' | 'read and write') =>
  (await send(scope, 'tools/list')).tools.map(({ name }: { name: string }) => name)

Deno.test('a token that may only read lists no tool that writes', async () => {
  assert.ok((await toolsOf('read and write')).includes('mark_done'))
  assert.ok(!(await toolsOf('read')).includes('mark_done'))
  assert.ok((await toolsOf('read')).includes('list_due'))
})

Deno.test('a tool says its answer in a line, and returns it as JSON', async () => {
  const change = '00000000-0000-4000-8000-000000000001'
  const { content, structuredContent } = await send(
    'read and write',
    'tools/call',
    { name: 'undo', arguments: { change } },
    { restored: 2, change, conflicts: [] },
  )
  assert.equal(content[0].text, 'Undone.')
  assert.deepEqual(JSON.parse(content[1].text), structuredContent)
  assert.deepEqual(structuredContent, { restored: 2, change, units: 'mi', currency: 'USD' })
})
