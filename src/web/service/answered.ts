/** A value as it arrives in an answer: what is `undefined` inside the service is null outside. */
export type Answered<T> = T extends undefined
  ? null
  : T extends readonly (infer Item)[]
    ? readonly Answered<Item>[]
    : T extends object
      ? { readonly [Key in keyof T]: Answered<T[Key]> }
      : T;
