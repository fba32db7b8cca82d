import type { ReactNode } from 'react'

const Icon = ({ children }: { children: ReactNode }) => (
  <svg
    viewBox="0 0 20 20"
    width="20"
    height="20"
    fill="none"
    stroke="currentColor"
    strokeWidth="1.5"
    strokeLinejoin="round"
    strokeLinecap="round"
    aria-hidden
  >
    {children}
  </svg>
)

export const CameraIcon = () => (
  <Icon>
    <path d="M2 6.5h3.5l1.5-2h6l1.5 2H18v9.5H2z" />
    <circle cx="10" cy="11" r="3" />
  </Icon>
)

export const PhotoIcon = () => (
  <Icon>
    <path d="M2.5 3.5h15v13h-15z" />
    <path d="m2.5 14 4.5-4.5 4 4 2.5-2.5 4 4" />
    <circle cx="13" cy="7.5" r="1.2" />
  </Icon>
)

export const DocumentIcon = () => (
  <Icon>
    <path d="M4.5 2.5h7l4 4v11h-11z" />
    <path d="M11.5 2.5v4h4" />
  </Icon>
)

export const AddIcon = () => (
  <Icon>
    <path d="M10 4v12M4 10h12" />
  </Icon>
)
