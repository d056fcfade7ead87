"""Leaks in one function. python3.12 leaky.py"""
import ctypes

malloc = ctypes.CDLL(None).malloc
malloc.restype = ctypes.c_void_p
kept = []


def leak(count):
    for _ in range(count):
        kept.append(malloc(5000))


def main():
    for _ in range(20):
        leak(200)


main()
