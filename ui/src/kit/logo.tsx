/** The mark: a loop of steps, and the one it stands at. */
export function Logo({ size = 24 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true">
      <defs>
        <linearGradient id="logo-fill" x1="0" y1="0" x2="1" y2="1">
          <stop offset="0" stopColor="#7377f2" />
          <stop offset="1" stopColor="#3f43bb" />
        </linearGradient>
      </defs>
      <rect width="32" height="32" rx="8" fill="url(#logo-fill)" />
      <path
        d="M21.6 11.2a7.4 7.4 0 1 0 0 9.6"
        fill="none"
        stroke="#fff"
        strokeWidth="3"
        strokeLinecap="round"
      />
      <circle cx="23.6" cy="16" r="2.6" fill="#fff" />
    </svg>
  );
}
