#include "core/analysis/table/weighted_sum.h"

namespace highwater::analysis {

std::optional<std::uint64_t> WeightedSum::average() const {
    if (weights_ == 0) return std::nullopt;
    auto sum = *this;
    sum.addProducts(weights_ / 2, 0);
    if (sum.productsAbove_ == 0) return static_cast<std::uint64_t>(sum.products_ / weights_);
    // Manual division, bit by bit, because no type divides more than 128 bits. The remainder is below the weights,
    // which have at most 96 bits, so doubling it cannot overflow.
    Wide rest = 0;
    std::uint64_t quotient = 0;
    for (int bit = 191; bit >= 0; --bit) {
        const auto next =
            bit >= 128 ? sum.productsAbove_ >> (bit - 128) : static_cast<std::uint64_t>(sum.products_ >> bit);
        rest = (rest << 1) | (next & 1);
        quotient <<= 1; // an average has 64 bits: the dropped bits are 0
        if (rest < weights_) continue;
        rest -= weights_;
        quotient |= 1;
    }
    return quotient;
}

} // namespace highwater::analysis
