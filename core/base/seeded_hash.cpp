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
        // No source of randomness: the clock and the place of the stack are what is left.
        const auto now = static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
        auto state = now ^ reinterpret_cast<std::uintptr_t>(&seed);
        for (auto& word : seed.words)
            word = state = foldedProduct(state ^ 0xA0761D6478BD642Full, 0xE7037ED1A0B428DBull) + now;
    }
    // Factors of products: odd ones, so that none is 0.
    for (auto& word : seed.words)
        word |= 1;
    return seed;
}

} // namespace

// Before all other objects of the program: one of them may hold a table.
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

} // namespace highwater
