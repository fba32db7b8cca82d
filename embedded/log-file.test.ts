import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createHeldLog, createLogFile } from './log-file.ts'

let folder: string
let file: string
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'tracker-log-'))
  file = path.join(folder, 'functions.log')
})
afterEach(() => rm(folder, { recursive: true }))

test('appends to the file, which only its user can read', async () => {
  createLogFile(file).log('first')
  createLogFile(file).error('second')
  expect(await readFile(file, 'utf8')).toBe('first\nsecond\n')
  expect((await stat(file)).mode & 0o777).toBe(0o600)
})

test('keeps the newest lines in at most 1 MB, even across restarts', async () => {
  const lines = Array.from({ length: 3000 }, (_, index) => `${index} ${'é'.repeat(300)}`)
  for (let start = 0; start < lines.length; start += 500) {
    const output = createLogFile(file)
    for (const line of lines.slice(start, start + 500)) output.log(line)
  }
  expect(await readdir(folder)).toEqual(['functions.log', 'functions.log.1'])
  const logged = (await readFile(`${file}.1`, 'utf8')) + (await readFile(file, 'utf8'))
  expect(Buffer.byteLength(logged)).toBeLessThan(2 ** 20)
  const latest = logged.trimEnd().split('\n')
  expect(latest.length).toBeGreaterThan(800)
  expect(latest).toEqual(lines.slice(-latest.length))
})

test('ignores a log file that cannot be written', async () => {
  expect(() => createLogFile(path.join(folder, 'missing', 'functions.log')).log('lost')).not.toThrow()
})

test('holds lines back, and logs them in order once they are released', () => {
  const logged = vi.spyOn(console, 'error').mockReturnValue()
  const log = createHeldLog()
  log.log('first')
  log.error('second')
  expect(logged).not.toHaveBeenCalled()
  log.release()
  log.release()
  log.log('third')
  expect(logged.mock.calls).toEqual([['first'], ['second'], ['third']])
  logged.mockRestore()
})
