import { env } from "node:process";

// React's elements of development each carry an error with its stack, which takes a sixth of the tests' time. Those of
// production work with React of development, which Testing Library requires.
const { NODE_ENV } = env;
env.NODE_ENV = "production";
await import("react/jsx-runtime");
env.NODE_ENV = NODE_ENV;
