#pragma once

#include "core/base/ids.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>

namespace highwater {

/// Hashes for tables whose keys come from files or other programs. The author of a file may choose its keys. With a
/// predictable hash (std::hash of a number is the number itself), a few kilobytes of keys that all map to one slot cost
/// the table quadratic time or, if it grows to resolve the collisions, all memory. These hashes depend on random
/// numbers that are drawn once per run of the program, so collisions cannot be predicted.
///
/// A 64 x 64 -> 128 bit product with a secret factor, whose halves are folded into one, twice. Every bit of the key
/// affects high and low bits, so a table may take its slots from either. (One product is not enough: with one seed in a
/// hundred, keys at equal distances, such as addresses, crowd 20 to 60 into a slot.) Values differ between runs: never
/// store them, and never let output order depend on the order of such a table. Any thread.
struct HashSeed {
    std::uint64_t words[4];
};
extern const HashSeed processHashSeed;

/// Folds both halves of the 128-bit product into one.
[[nodiscard]] inline std::uint64_t foldedProduct(std::uint64_t a, std::uint64_t b) noexcept {
    __extension__ using Wide = unsigned __int128;
    const auto product = static_cast<Wide>(a) * b;
    return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

[[nodiscard]] inline std::uint64_t seededHash(std::uint64_t key) noexcept {
    return foldedProduct(foldedProduct(key ^ processHashSeed.words[0], processHashSeed.words[1]),
                         processHashSeed.words[3]);
}
[[nodiscard]] inline std::uint64_t seededHash(std::uint64_t first, std::uint64_t second) noexcept {
    return foldedProduct(foldedProduct(first ^ processHashSeed.words[2], second ^ processHashSeed.words[3]),
                         processHashSeed.words[1]);
}
[[nodiscard]] std::uint64_t seededHash(std::span<const std::uint64_t> words) noexcept;
[[nodiscard]] std::uint64_t seededHash(std::string_view text) noexcept;

/// 128 bits: stacks with the same hash are treated as equal.
struct FramesHash {
    std::uint64_t first = 0;
    std::uint64_t second = 0;
    friend bool operator==(const FramesHash&, const FramesHash&) = default;
};
[[nodiscard]] FramesHash hashFrames(std::span<const std::uint64_t> frames) noexcept;

/// The hash for maps and sets: tsl::robin_map<std::uint64_t, X, SeededHash>.
struct SeededHash {
    using is_transparent = void;

    template <typename Number>
    requires(std::is_integral_v<Number> || std::is_enum_v<Number>) [[nodiscard]] std::size_t
    operator()(Number key) const noexcept {
        return seededHash(static_cast<std::uint64_t>(key));
    }
    template <typename Tag>
    [[nodiscard]] std::size_t operator()(Id<Tag> id) const noexcept {
        return seededHash(id.value);
    }
    template <typename Pointee>
    [[nodiscard]] std::size_t operator()(const Pointee* key) const noexcept {
        return seededHash(reinterpret_cast<std::uintptr_t>(key));
    }
    [[nodiscard]] std::size_t operator()(std::string_view text) const noexcept { return seededHash(text); }
    [[nodiscard]] std::size_t operator()(std::span<const std::uint64_t> words) const noexcept {
        return seededHash(words);
    }
    template <typename First, typename Second>
    [[nodiscard]] std::size_t operator()(const std::pair<First, Second>& key) const noexcept {
        return seededHash((*this)(key.first), (*this)(key.second));
    }
};

} // namespace highwater
