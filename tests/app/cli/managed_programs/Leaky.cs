using System;
using System.Collections.Generic;
using System.Runtime.InteropServices;
using System.Threading;

/// Leaks in one method; another one frees its memory. mono Leaky.exe [ROUNDS]: this many rounds of 20 ms.
class Leaky {
    static readonly List<IntPtr> kept = new List<IntPtr>();

    static void Leak(int count) {
        for (int i = 0; i < count; ++i) kept.Add(Marshal.AllocHGlobal(5000));
    }

    static void Borrow(int count) {
        for (int i = 0; i < count; ++i) Marshal.FreeHGlobal(Marshal.AllocHGlobal(700));
    }

    static void Main(string[] arguments) {
        int rounds = arguments.Length > 0 ? int.Parse(arguments[0]) : 20;
        for (int round = 0; round < rounds; ++round) {
            Leak(300);
            Borrow(300);
            Thread.Sleep(20);
        }
    }
}
