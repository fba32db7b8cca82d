// Compares requests of other software, with a token, with the same requests of the owner's session.
import { createToken } from '../supabase/functions/_shared/http/tokens.ts'
import { signIn } from '../tests/owner.ts'
import { fastest, report } from './measure.ts'
import { serviceLog } from './queries.ts'
import { OWNER, startWith } from './stack.ts'

const ROUNDS = 40
const TASKS = 60
const DAY = 86_400_000

export async function api(): Promise<void> {
  console.log(`\nAPI: 10,000 rides, ${TASKS} tasks, each with a token and with a session`)
  await using stack = await startWith(serviceLog(10_000, TASKS))
  const owner = await signIn(stack.url, OWNER)
  const { publishableKey: apikey } = await (await fetch(`${stack.url}/config.json`)).json()
  const session = (await owner.auth.getSession()).data.session!.access_token
  const token = createToken()
  await owner.rpc('create_token', { token, name: 'Bench', scope: 'read and write' })
  const call = async (path: string, bearer: string, body?: object) => {
    const response = await fetch(`${stack.url}/${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { apikey, authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    if (!response.ok) throw new Error(`${path} returned ${response.status}: ${await response.text()}`)
    await response.text()
  }

  const [due, summary] = await fastest(ROUNDS, [
    { work: () => call('functions/v1/service-due', session, {}) },
    { work: () => call('functions/v1/api/v1/summary', token) },
  ])
  report('service-due with a session', due!, 'ms')
  report('summary with a token', summary!, 'ms')
  report('  against service-due', summary! / due!, '×', 1.5)

  // Another task and day each time, so each request writes an event.
  let done = 0
  const next = () => ({
    id: 1 + (++done % TASKS),
    day: new Date(Date.now() - done * DAY).toISOString().slice(0, 10),
  })
  const [direct, command] = await fastest(3 * ROUNDS, [
    {
      work() {
        const { id: task_id, day: done_on } = next()
        const done = { command: 'mark_done', arguments: { task_id, done_on, seen: 1e9 } }
        return call('rest/v1/rpc/run_command', session, done)
      },
    },
    {
      work() {
        const { id, day } = next()
        return call(`functions/v1/api/v1/tasks/${id}/done`, token, { day })
      },
    },
  ])
  report('mark_done with a session', direct!, 'ms')
  report('done with a token', command!, 'ms')
  report('  against mark_done', command! / direct!, '×', 1.3)
}
