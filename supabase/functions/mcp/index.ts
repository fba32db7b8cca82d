import { tokenEndpoint } from '../_shared/commands/endpoint.ts'
import { createMcp } from './handler.ts'

export default tokenEndpoint('mcp', createMcp)
