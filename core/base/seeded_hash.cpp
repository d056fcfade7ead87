#include "core/base/seeded_hash.h"

#include <chrono>
#include <cstring>
#include <exception>
#include <random>

namespace highwater {
namespace {

HashSeed drawHashSeed() {
    HashSeed seed{};
    try {
        std::random_device random;
        for (auto& word : seed.words)
            word = (std::uint64_t{random()} << 32) | random();
    } catch (const std::exception&) {
        // Without a source of randomness, the clock and the stack address remain.
        const auto now = static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
        auto state = now ^ reinterpret_cast<std::uintptr_t>(&seed);
        for (auto& word : seed.words)
            word = state = foldedProduct(state ^ 0xA0761D6478BD642Full, 0xE7037ED1A0B428DBull) + now;
    }
    // Factors must be odd, so that none is 0.
    for (auto& word : seed.words)
        word |= 1;
    return seed;
}

} // namespace

// Initialized before all other objects of the program because one of them may contain a table.
[[gnu::init_priority(101)]] const HashSeed processHashSeed = drawHashSeed();

std::uint64_t seededHash(std::span<const std::uint64_t> words) noexcept {
    const auto& seed = processHashSeed.words;
    auto state = seed[0] ^ words.size();
    for (const auto word : words)
        state = foldedProduct(state ^ word, seed[1]) + seed[2];
    return foldedProduct(state ^ seed[3], seed[0]);
}

std::uint64_t seededHash(std::string_view text) noexcept {
    const auto& seed = processHashSeed.words;
    auto state = seed[0] ^ text.size();
    const auto take = [&](const char* from, std::size_t bytes) {
        std::uint64_t word = 0;
        std::memcpy(&word, from, bytes);
        state = foldedProduct(state ^ word, seed[1]) + seed[2];
    };
    std::size_t at = 0;
    for (; at + 8 <= text.size(); at += 8)
        take(text.data() + at, 8);
    if (at < text.size()) take(text.data() + at, text.size() - at);
    return foldedProduct(state ^ seed[3], seed[0]);
}

FramesHash hashFrames(std::span<const std::uint64_t> frames) noexcept {
    const auto& seed = processHashSeed.words;
    // Two 64-bit hashes, each with two alternating chains and two frames per step, so that a multiplication does not
    // wait for the previous one. The chains of a hash are combined at the end.
    std::array<std::uint64_t, 2> a{seed[0], seed[1]};
    std::array<std::uint64_t, 2> b{seed[2], seed[3] ^ frames.size()};
    const auto* frame = frames.data();
    auto left = frames.size();
    for (; left >= 4; left -= 4, frame += 4) {
        a[0] = foldedProduct(a[0] ^ frame[0], seed[2] ^ frame[1]);
        b[0] = foldedProduct(b[0] ^ frame[1], seed[3] ^ frame[0]);
        a[1] = foldedProduct(a[1] ^ frame[2], seed[0] ^ frame[3]);
        b[1] = foldedProduct(b[1] ^ frame[3], seed[1] ^ frame[2]);
    }
    for (; left > 0; --left, ++frame) {
        a[0] = foldedProduct(a[0] ^ *frame, seed[3]);
        b[0] = foldedProduct(b[0] ^ *frame, seed[2]);
    }
    return {foldedProduct(a[0] ^ seed[1], a[1] ^ seed[3]), foldedProduct(b[0] ^ seed[0], b[1] ^ seed[2])};
}

} // namespace highwater
