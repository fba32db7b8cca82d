export * from '../kinds.ts'
