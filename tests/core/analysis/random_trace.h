#pragma once

#include "tests/core/analysis/columns_builder.h"

#include <memory>
#include <random>
#include <vector>

namespace highwater::tests {

/// A publication and the state known when it was made.
struct Publication {
    std::shared_ptr<const store::PublishedTrace> trace;
    Model model;
};

/// A small trace with all kinds of events, many of them at one instant: rows older than the trace, sizes of 0 and over
/// 4 GB, releases in parts, marks, frees of unknown blocks, ends of processes, promised stacks. Equal seeds give equal
/// traces.
class RandomTrace {
  public:
    /// Whether it discards its oldest part now and then.
    enum class Cuts : std::uint8_t { None, Some };

    explicit RandomTrace(unsigned seed, Cuts cuts = Cuts::None);

    /// Some prefixes, then the whole. The store behind them continues after the prefixes were made.
    [[nodiscard]] const std::vector<Publication>& publications() const { return publications_; }
    [[nodiscard]] std::mt19937& random() { return random_; }
    /// A number in [0, count).
    unsigned pick(unsigned count) { return std::uniform_int_distribution<unsigned>(0, count - 1)(random_); }
    [[nodiscard]] TimeRange interval();
    /// The same, not before the publication starts.
    [[nodiscard]] TimeRange intervalOf(const Publication& publication);

  private:
    void step();
    void cut();
    void alloc();
    void release();
    void publish();
    void mark();
    void sample();
    void picture();
    ModelRelease releaseOf(std::size_t row);
    std::string stack(std::uint32_t process);
    ByteCount size();

    std::mt19937 random_;
    std::mt19937 randomSamples_; ///< apart, so that samples do not change the other events of a seed
    Cuts cuts_;
    ColumnsBuilder builder_;
    std::int64_t now_ = 0;
    std::vector<Publication> publications_;
};

} // namespace highwater::tests
