import { spawnSync } from 'node:child_process'
import { appendFile, chmod, chown, stat } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { freePort } from '../../embedded/port.ts'
import { BLANK_ENVIRONMENT, temporaryFolder } from '../running.ts'
import { copyProject } from './project.ts'

const NOBODY = 65534

test.runIf(process.getuid?.() === 0)(
  'shows other users what to run in a clone that root installed but never built',
  async (context) => {
    for (let above = process.cwd(); above !== '/'; above = path.dirname(above)) {
      if (((await stat(above)).mode & 0o001) === 0) context.skip(`${above} is closed to other users`)
    }
    const project = await copyProject()
    const { folder, remove } = await temporaryFolder()
    await chmod(project.root, 0o755)
    await chown(folder, NOBODY, NOBODY)
    await appendFile(path.join(project.root, 'index.html'), '<!-- Not built yet. -->')
    const { status, stderr } = spawnSync(process.execPath, ['embedded/start.ts'], {
      cwd: project.root,
      env: { ...process.env, ...BLANK_ENVIRONMENT, TRACKER_DATA_DIR: folder, PORT: String(await freePort()) },
      uid: NOBODY,
      gid: NOBODY,
      encoding: 'utf8',
    })
    await Promise.all([project.remove(), remove()])
    expect(status).toBe(1)
    expect(stderr).toMatch(
      /^The client isn't built yet, and this user can't write to [^\n]+\. Run npm start once [^\n]+\.\n$/,
    )
  },
)
