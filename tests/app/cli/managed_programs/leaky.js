'use strict';
// Leaks in one function; another one does not keep memory. `node leaky.js [ROUNDS]`: this many rounds of 20 ms.
const kept = [];

function leak(count) {
    for (let i = 0; i < count; ++i) kept.push(Buffer.allocUnsafeSlow(5000));
}

function churn(count) {
    let last = null;
    for (let i = 0; i < count; ++i) last = Buffer.allocUnsafeSlow(700);
    return last;
}

let rounds = Number(process.argv[2] || 40);
const timer = setInterval(() => {
    leak(100);
    churn(100);
    if (--rounds <= 0) clearInterval(timer);
}, 20);
