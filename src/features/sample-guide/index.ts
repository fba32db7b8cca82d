export { SampleGuide } from './SampleGuide.tsx'
export { SampleMark } from './SampleMark.tsx'
