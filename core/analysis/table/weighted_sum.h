#pragma once

#include <cstdint>
#include <optional>

namespace highwater::analysis {

/// Numbers with weights, and their average. Exact for all numbers and weights: a product has up to 128 bits, and the
/// sum over all rows up to 160.
class WeightedSum {
  public:
    void add(std::uint64_t value, std::uint64_t weight) {
        const auto product = static_cast<Wide>(value) * weight;
        addProducts(product, 0);
        weights_ += weight;
    }
    void add(const WeightedSum& other) {
        addProducts(other.products_, other.productsAbove_);
        weights_ += other.weights_;
    }

    /// Rounded to nearest, halves up. Nothing: all weights are 0.
    [[nodiscard]] std::optional<std::uint64_t> average() const;

  private:
    __extension__ using Wide = unsigned __int128;

    void addProducts(Wide low, std::uint64_t above) {
        products_ += low;
        productsAbove_ += above + (products_ < low ? 1 : 0);
    }

    Wide products_ = 0;               ///< the lower 128 bits
    std::uint64_t productsAbove_ = 0; ///< the bits above
    Wide weights_ = 0;
};

} // namespace highwater::analysis
