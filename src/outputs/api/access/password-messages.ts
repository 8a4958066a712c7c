/** To the thread that compares passwords, and back. */
export interface PasswordQuestion {
  readonly id: number;
  readonly password: string;
  readonly hash: string;
}

export interface PasswordAnswer {
  readonly id: number;
  readonly matches: boolean;
}
