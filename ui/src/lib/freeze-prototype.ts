/** Members that libraries override in their own objects, for example `toString` in dayjs. */
const overridden = ["constructor", "toLocaleString", "toString", "valueOf"] as const;

/**
 * Makes a prototype read-only, while objects below it can still have members of their own.
 *
 * Tauri's `freezePrototype` uses a plain freeze, which forbids both: a member inherited from a frozen object cannot be
 * assigned on any object below it.
 */
export function freezePrototype(prototype: object): void {
	for (const name of overridden) {
		const inherited: unknown = Reflect.get(prototype, name);
		Object.defineProperty(prototype, name, {
			get: () => inherited,
			set(this: object, own: unknown) {
				if (this === prototype) throw new TypeError(`${name} of every object stays as it is`);
				Object.defineProperty(this, name, { value: own, writable: true, enumerable: true, configurable: true });
			},
			enumerable: false,
			configurable: false,
		});
	}
	Object.freeze(prototype);
}
