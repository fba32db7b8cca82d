import { tokenEndpoint } from '../_shared/http/token-endpoint.ts'
import { createHandler } from './handler.ts'

export default tokenEndpoint('calendar', createHandler)
