#pragma once

#include "core/etl/file_image.h"
#include "core/source/contract/record_source.h"

#include <memory>
#include <string>
#include <string_view>

namespace highwater::source {

/// A file of heaptrack, as heaptrack_interpret writes it (formats 1 to 3), packed or not.
///
/// What such a file does not have: threads, stacks of frees, where modules lie, and which of several blocks of one size
/// and stack was freed: the newest one is taken. Its clock ticks every 10 ms; what happens between two ticks keeps its
/// order, a nanosecond apart. Immutable after open, except that run() reads.
class HeaptrackSource final : public RecordSource {
  public:
    /// Whether a file begins as one of heaptrack does; `start` is unpacked.
    [[nodiscard]] static bool isOne(std::string_view start);
    /// Errors: a format that is newer or older, output that was not interpreted yet (the sentence says how).
    static Result<std::unique_ptr<HeaptrackSource>> open(etl::FileImage file, std::string_view start);

    [[nodiscard]] const TraceProperties& properties() const override { return properties_; }
    Result<void> run(etl::RecordSink& sink, TraceHealth& health, std::stop_token stop, Progress& progress) override;

  private:
    explicit HeaptrackSource(etl::FileImage file, std::uint32_t format);

    etl::FileImage file_;
    std::uint32_t format_;
    TraceProperties properties_;
};

} // namespace highwater::source
