#pragma once

#include "core/base/units.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <string_view>

namespace highwater::analysis {

/// The uses of resident memory, from the bottom of the chart up: docs/numbers.md 25. Every byte of Rss is in one layer.
enum class MemoryLayer : std::uint8_t {
    Live,       ///< blocks that are outstanding
    Rounding,   ///< the allocator's own memory around them: headers, rounding of sizes
    HeldFree,   ///< free, but on a page with a live block
    Returnable, ///< heap pages without a live block
    Mapped,     ///< pages that the program requested itself
    Stacks,
    Code,   ///< generated code, and heaps of runtimes
    Images, ///< the program and its libraries
    Files,  ///< other mapped files
    Shared, ///< memory shared with other processes
    Highwater,
    Unknown,
};
inline constexpr std::size_t kMemoryLayers = 12;

/// In the order of the enumeration.
[[nodiscard]] constexpr std::array<MemoryLayer, kMemoryLayers> allMemoryLayers() {
    std::array<MemoryLayer, kMemoryLayers> layers{};
    for (std::size_t i = 0; i < kMemoryLayers; ++i)
        layers[i] = static_cast<MemoryLayer>(i);
    return layers;
}

/// Whether memory of this layer can belong to a program or library.
[[nodiscard]] constexpr bool isOfModules(MemoryLayer layer) {
    return layer == MemoryLayer::Images || layer == MemoryLayer::Highwater;
}

/// For programs: "held_free".
[[nodiscard]] std::string_view layerId(MemoryLayer layer);
/// For people: "Free, held".
[[nodiscard]] std::string_view layerName(MemoryLayer layer);
/// A sentence about its contents, for tool tips.
[[nodiscard]] std::string_view layerMeaning(MemoryLayer layer);
/// The layer with that id.
[[nodiscard]] std::optional<MemoryLayer> layerOfId(std::string_view id);

/// Bytes by layer.
class LayerBytes {
  public:
    [[nodiscard]] ByteCount& operator[](MemoryLayer layer) { return bytes_[static_cast<std::size_t>(layer)]; }
    [[nodiscard]] ByteCount operator[](MemoryLayer layer) const { return bytes_[static_cast<std::size_t>(layer)]; }
    [[nodiscard]] ByteCount sum() const { return std::accumulate(bytes_.begin(), bytes_.end(), ByteCount{0}); }
    LayerBytes& operator+=(const LayerBytes& other) {
        for (std::size_t i = 0; i < kMemoryLayers; ++i)
            bytes_[i] += other.bytes_[i];
        return *this;
    }
    friend bool operator==(const LayerBytes&, const LayerBytes&) = default;

  private:
    std::array<ByteCount, kMemoryLayers> bytes_{};
};

} // namespace highwater::analysis
