import { spawnSync } from 'node:child_process'
import { appendFile, chmod, stat } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { copyProject } from './project.ts'

const NOBODY = 65534

test.runIf(process.getuid?.() === 0)(
  'shows other users what to run in a clone that root installed but never built',
  async (context) => {
    for (let above = process.cwd(); above !== '/'; above = path.dirname(above)) {
      if (((await stat(above)).mode & 0o001) === 0) context.skip(`${above} is closed to other users`)
    }
    const project = await copyProject()
    await chmod(project.root, 0o755)
    await appendFile(path.join(project.root, 'index.html'), '<!-- Not built yet. -->')
    const program = "import { buildClient } from './embedded/client.ts'; await buildClient()"
    const options = { cwd: project.root, uid: NOBODY, gid: NOBODY, encoding: 'utf8' } as const
    const { stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], options)
    await project.remove()
    expect(stderr).toMatch(
      /StartError: The client isn't built yet, and this user can't write to [^\n]+\. Run npm start once [^\n]+\.$/m,
    )
  },
)
