import { tokenEndpoint } from '../_shared/commands/endpoint.ts'
import { createApi } from './handler.ts'

export default tokenEndpoint('api', createApi)
