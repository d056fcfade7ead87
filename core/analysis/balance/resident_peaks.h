#pragma once

#include "core/analysis/balance/balance_point.h"
#include "core/analysis/balance/memory_layer.h"
#include "core/base/units.h"

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace highwater::analysis {

/// The names of a mapping, valid as long as its sample.
class PartNames {
  public:
    /// `module`: the program or library to which it belongs, or to which its memory without a file belongs; empty:
    /// none.
    PartNames(std::string_view mapping, std::string_view module);
    /// Of the part of the mapping that is in this layer; never empty.
    [[nodiscard]] std::string_view of(PartsBy by, MemoryLayer layer) const {
        return by == PartsBy::Module && isOfModules(layer) ? module_ : mapping_;
    }

  private:
    std::string_view mapping_, module_;
};

/// The highest resident bytes of a process, its layers, mappings and modules over some samples. Each has its peak at a
/// sample of its own, so that the peaks of parts do not add up. One thread until all samples are added, then immutable.
class ResidentPeaks {
  public:
    /// What a layer has of a name.
    struct Part {
        std::string_view name; ///< valid as long as the peaks
        MemoryLayer layer = MemoryLayer::Unknown;
        ByteCount highest = 0; ///< not 0
    };

    /// For each mapping of a sample, then endSample().
    void add(const PartNames& names, const LayerBytes& bytes);
    /// `point`: all of the sample.
    void endSample(const BalancePoint& point);

    [[nodiscard]] ByteCount ofProcess() const { return process_; }
    [[nodiscard]] ByteCount of(MemoryLayer layer) const { return layers_[layer]; }
    /// Everything of that name, or only its part in the layer. 0: it was in no sample.
    [[nodiscard]] ByteCount of(PartsBy by, std::string_view name, std::optional<MemoryLayer> layer = {}) const;

    /// All parts, in no order.
    [[nodiscard]] std::vector<Part> parts(PartsBy by) const;

  private:
    struct Named {
        std::uint64_t sample = 0; ///< number of the sample to which the bytes belong
        ByteCount bytes = 0, highest = 0;
        LayerBytes layers, highestLayers;
    };
    struct HashOfName : std::hash<std::string_view> {
        using is_transparent = void;
    };
    using ByName = std::unordered_map<std::string, Named, HashOfName, std::equal_to<>>;

    [[nodiscard]] Named& named(PartsBy by, std::string_view name);

    std::uint64_t sample_ = 1;
    ByteCount process_ = 0;
    LayerBytes layers_;
    std::array<ByName, 2> byName_; ///< by PartsBy
};

using SharedResidentPeaks = std::shared_ptr<const ResidentPeaks>;

} // namespace highwater::analysis
