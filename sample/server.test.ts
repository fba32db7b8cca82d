import { afterEach, describe, expect, it } from 'vitest'
import { startSampleServer } from './server.ts'

const running: { close(): Promise<void> }[] = []

async function start(options?: Parameters<typeof startSampleServer>[0]) {
  const server = await startSampleServer(options)
  running.push(server)
  return server
}

afterEach(async () => {
  await Promise.all(running.splice(0).map((server) => server.close()))
})

describe('the sample server', () => {
  it('serves a sample account on the loopback interface', async () => {
    const { url } = await start()
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
    expect((await fetch(`${url}/users/current.json`)).status).toBe(401)
  })

  it('uses the given handler', async () => {
    const { url } = await start({ fetch: (request) => new Response(new URL(request.url).pathname) })
    expect(await (await fetch(`${url}/anything`)).text()).toBe('/anything')
  })

  it('rejects when its port is taken', async () => {
    const { url } = await start()
    await expect(startSampleServer({ port: Number(new URL(url).port) })).rejects.toThrow('EADDRINUSE')
  })

  it('ends open connections when it closes', async () => {
    const server = await startSampleServer()
    await (await fetch(server.url)).text()
    await server.close()
    await expect(fetch(server.url)).rejects.toThrow('fetch failed')
  })
})
