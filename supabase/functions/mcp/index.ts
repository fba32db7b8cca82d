import { createAccess } from '../_shared/commands/access.ts'
import { tokenEndpoint } from '../_shared/http/token-endpoint.ts'
import { createMcp } from './handler.ts'

export default tokenEndpoint('mcp', ({ log, ...rest }) => createMcp({ access: createAccess(rest), log }))
