/** What libraries give objects of their own: dayjs its `toString`, for example. */
const overridden = ["constructor", "toLocaleString", "toString", "valueOf"] as const;

/**
 * Nobody changes what every object inherits, and an object may still have its own. A plain freeze, as Tauri's
 * `freezePrototype` is, forbids both: what is inherited from a frozen object cannot be assigned anywhere below it.
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
