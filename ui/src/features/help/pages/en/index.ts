export const files = import.meta.glob<string>("./*.md", { eager: true, query: "?raw", import: "default" });
