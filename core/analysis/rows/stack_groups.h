#pragma once

#include "core/base/ids.h"
#include "core/base/seeded_hash.h"

#include <tsl/robin_map.h>

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>

namespace highwater::analysis {

/// Assigns numbers to distinct stacks of processes in the order of appearance. The source of the frames must outlive
/// it.
class StackGroups {
  public:
    /// A new stack gets the next number, from 0. place: distinguishes stacks with equal frames.
    std::uint32_t numberOf(ProcessIndex process, std::span<const std::uint32_t> frames, std::uint32_t place = 0) {
        const Key key{process.value, place, bytesOf(frames)};
        return numbers_.try_emplace(key, static_cast<std::uint32_t>(numbers_.size())).first->second;
    }
    [[nodiscard]] std::size_t count() const { return numbers_.size(); }

  private:
    /// The frames as bytes, compared and hashed like strings.
    struct Key {
        std::uint32_t process = 0;
        std::uint32_t place = 0;
        std::string_view frames;
        friend bool operator==(const Key&, const Key&) = default;
    };
    struct KeyHash {
        std::size_t operator()(const Key& key) const noexcept {
            const auto ofPlace = std::uint64_t{key.place} << 32 | key.process;
            return SeededHash()(ofPlace ^ std::hash<std::string_view>()(key.frames));
        }
    };
    static std::string_view bytesOf(std::span<const std::uint32_t> frames) {
        return {reinterpret_cast<const char*>(frames.data()), frames.size_bytes()};
    }

    tsl::robin_map<Key, std::uint32_t, KeyHash> numbers_;
};

} // namespace highwater::analysis
