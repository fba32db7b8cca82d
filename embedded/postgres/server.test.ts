import { afterAll, beforeAll, expect, test } from 'vitest'
import { temporaryFolder } from '../../tests/running.ts'
import { connect } from './connect.ts'
import { DatabaseInUse } from './lock.ts'
import { findOrStartServer, startServer, type Server } from './server.ts'

let dataFolder: string
let remove: () => Promise<void>
beforeAll(async () => {
  ;({ folder: dataFolder, remove } = await temporaryFolder())
})
afterAll(() => remove())

const settings = () => ({ dataFolder, account: 'sample' as const, databaseUrl: undefined })

async function select({ url }: Server): Promise<void> {
  const sql = connect(url)
  await sql`select 1`.finally(() => sql.end())
}

test('commands at once take turns on a stopped tracker', async () => {
  let running = 0
  const command = async () => {
    const server = await findOrStartServer(settings())
    running++
    for (let times = 0; times < 5; times++) await select(server)
    const atOnce = running--
    await server.stop()
    return atOnce
  }
  expect(await Promise.all(Array.from({ length: 3 }, command))).toEqual([1, 1, 1])
})

test("a command borrows a running tracker's server, and leaves it running", async () => {
  const tracker = await startServer(settings())
  const commands = await Promise.all([findOrStartServer(settings()), findOrStartServer(settings())])
  for (const command of commands) await command.stop()
  await select(tracker)
  await expect(startServer(settings())).rejects.toThrow(DatabaseInUse)
  await tracker.stop()
})
