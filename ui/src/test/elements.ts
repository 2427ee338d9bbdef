import { env } from "node:process";

// Elements of React's development build each carry a stack trace, which takes a sixth of the time of all tests. The
// elements of its production build work with the development build of the renderer, which Testing Library requires.
const { NODE_ENV } = env;
env.NODE_ENV = "production";
await import("react/jsx-runtime");
env.NODE_ENV = NODE_ENV;
