// Like known_totals.cpp, for V8: it keeps arrays of numbers, 8 bytes each.
globalThis.kept = [];

function leakOne() {
  globalThis.kept.push(new Array(1007).fill(1.5));
}

function leakThem() {
  for (let i = 0; i < 300; ++i) leakOne();
}

leakThem();
