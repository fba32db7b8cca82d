import { tokenEndpoint } from '../_shared/token-endpoint.ts'
import { createHandler } from './handler.ts'

export default tokenEndpoint('calendar', createHandler)
