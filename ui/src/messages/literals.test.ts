import { parseSync } from "vite";

/** Attributes and properties with a text for users. */
const spoken =
	/^(label|title|alt|placeholder|description|error|message|hint|aria-(label|description|roledescription|valuetext))$/;

/** Texts that are the same in every language. */
const worldwide = new Set(["POST", "GET"]);

type Node = { type: string } & Record<string, unknown>;

const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null && "type" in value;

/**
 * Returns the string literals that an expression renders. Arguments of functions are not rendered, for example the
 * key of `t`.
 */
function shown(value: unknown): string[] {
	if (!isNode(value)) return [];
	switch (value.type) {
		case "Literal":
			return typeof value.value === "string" ? words(value.value) : [];
		case "JSXText":
			return words(value.value);
		case "TemplateLiteral":
			return [...parts(value.quasis).flatMap(shown), ...parts(value.expressions).flatMap(shown)];
		case "TemplateElement":
			return words((value.value as { cooked: string }).cooked);
		case "ConditionalExpression":
			return [...shown(value.consequent), ...shown(value.alternate)];
		case "LogicalExpression":
		case "BinaryExpression":
			return [...shown(value.left), ...shown(value.right)];
		case "JSXExpressionContainer":
			return shown(value.expression);
		default:
			return [];
	}
}

const parts = (value: unknown) => (Array.isArray(value) ? value : []);

const words = (text: unknown) =>
	typeof text === "string" && /\p{L}{2}/u.test(text) && !worldwide.has(text.trim()) ? [text.trim()] : [];

/** Returns every text for users that is in a source file instead of the catalog. */
function literals(source: string): string[] {
	const found: string[] = [];
	const visit = (node: unknown): void => {
		if (Array.isArray(node)) node.forEach(visit);
		if (!isNode(node)) return;
		if (node.type === "JSXElement" || node.type === "JSXFragment") found.push(...parts(node.children).flatMap(shown));
		if (node.type === "JSXAttribute" && isSpoken(node.name)) found.push(...shown(node.value));
		if (node.type === "Property" && isSpoken(node.key)) found.push(...shown(node.value));
		Object.values(node).forEach(visit);
	};
	visit(parseSync("source.tsx", source).program);
	return found;
}

const isSpoken = (name: unknown) => isNode(name) && spoken.test(String(name.name ?? name.value));

const sources = import.meta.glob<string>(
	["../**/*.{ts,tsx}", "!../**/*.test.*", "!../bridge/**", "!../test/**", "!../messages/**"],
	{ query: "?raw", eager: true, import: "default" },
);

test("no literal text stands in a component", () => {
	const found = Object.entries(sources).flatMap(([file, source]) => literals(source).map((text) => `${file}: ${text}`));
	expect(found).toEqual([]);
});

test.each([
	["<p>Hello</p>", "Hello"],
	["<p>{many ? 'Many things' : t('few')}</p>", "Many things"],
	["<Button aria-label='Close it' />", "Close it"],
	["<Input placeholder={`Search` + name} />", "Search"],
	["const data = [{ value: 'a', label: 'First' }]", "First"],
])("%s holds a literal text", (source, text) => {
	expect(literals(source)).toEqual([text]);
});

test.each(["<p title={t('site.title')}>{t('key', { ns: 'sites' })} · {name}</p>", "<Text size='sm'>{a} / {b}</Text>"])(
	"%s holds none",
	(source) => {
		expect(literals(source)).toEqual([]);
	},
);
