import { createAccess } from '../_shared/commands/access.ts'
import { tokenEndpoint } from '../_shared/http/token-endpoint.ts'
import { createApi } from './handler.ts'

export default tokenEndpoint('api', ({ log, ...rest }) => createApi({ access: createAccess(rest), log }))
