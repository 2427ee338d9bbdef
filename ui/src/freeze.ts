import { freezePrototype } from "./lib/freeze-prototype";

// Imported first, so that prototypes are read-only before data of a site is read.
freezePrototype(Object.prototype);
