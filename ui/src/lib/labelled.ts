/** Returns the label of a field and its description, whose message has the key of the label and `Hint`. */
export function labelled<Key extends string>(t: (key: Key | `${Key}Hint`) => string, key: Key) {
	return { label: t(key), description: t(`${key}Hint`) };
}
