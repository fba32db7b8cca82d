import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { parseEnv } from 'node:util'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../tests/running.ts'
import { replaceCredentials, saveCredentials, type TokenCredentials } from './credentials-file.ts'

const token: TokenCredentials = { RWGPS_API_KEY: 'key', RWGPS_AUTH_TOKEN: 'token', RWGPS_USER_ID: '7' }
const LINES = 'RWGPS_API_KEY=key\nRWGPS_AUTH_TOKEN=token\nRWGPS_USER_ID=7\n'

test.each([
  ['an empty file', '', ''],
  ['other lines', '# Notes\n\nPORT=1\n', '# Notes\n\nPORT=1\n'],
  ['a file without a line end', 'PORT=1', 'PORT=1\n'],
  ['line ends of Windows', 'PORT=1\r\nRWGPS_EMAIL=a\r\nHOST=b\r\n', 'PORT=1\r\nHOST=b\r\n'],
  ['an email and password', 'RWGPS_EMAIL=a@b.c\nRWGPS_PASSWORD="x # y" # Mine\nPORT=1\n', 'PORT=1\n'],
  ['an older token', `PORT=1\n${LINES}HOST=b\n`, 'PORT=1\nHOST=b\n'],
  ['spaces and exports', '  export RWGPS_PASSWORD = secret\n\tRWGPS_API_KEY\t=x\nPORT=1\n', 'PORT=1\n'],
  ['a password with several lines', "RWGPS_PASSWORD='one\nPORT=2\nthree'\nPORT=1\n", 'PORT=1\n'],
  ['a quote that never ends', 'RWGPS_PASSWORD="one\nPORT=1\n', 'PORT=1\n'],
  [
    'comments and longer names',
    '#RWGPS_EMAIL=a\nMY_RWGPS_EMAIL=b\nRWGPS_EMAIL2=c\n',
    '#RWGPS_EMAIL=a\nMY_RWGPS_EMAIL=b\nRWGPS_EMAIL2=c\n',
  ],
])('replaces the credentials of %s', (_, before, others) => {
  expect(replaceCredentials(before, token)).toBe(`${others}${LINES}`)
})

test.each(['a b', 'x#y', '"', "'", '$x&y', '1=2', 'ä', '\\n'])(
  'an API key of %s is unchanged when it is read again',
  (key) => {
    const text = replaceCredentials('', { ...token, RWGPS_API_KEY: key })
    expect(parseEnv(text!)).toEqual({ ...token, RWGPS_API_KEY: key })
  },
)

test('changes nothing if another value would change', () => {
  expect(replaceCredentials("NOTE='\nRWGPS_EMAIL=a\n'\n", token)).toBeNull()
})

test('changes nothing if the secrets file is not UTF-8, or a folder', async () => {
  const { folder, remove } = await temporaryFolder()
  const file = path.join(folder, '.env')
  const before = Buffer.from('RWGPS_BASE_URL=x\nSCHEDULE_KEY=grün\n', 'latin1')
  await writeFile(file, before)
  await expect(saveCredentials(file, token)).rejects.toThrow(
    `${file} isn't UTF-8 text. Save it as UTF-8, then try again.`,
  )
  expect(await readFile(file)).toEqual(before)
  await mkdir(path.join(folder, 'folder'))
  await expect(saveCredentials(path.join(folder, 'folder'), token)).rejects.toThrow(
    /^Can't read .+ \(EISDIR\)\.$/,
  )
  await remove()
})
