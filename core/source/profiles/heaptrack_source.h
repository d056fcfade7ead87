#pragma once

#include "core/etl/file_image.h"
#include "core/source/contract/record_source.h"

#include <memory>
#include <string>
#include <string_view>

namespace highwater::source {

/// A heaptrack file as written by heaptrack_interpret (formats 1 to 3), compressed or not.
///
/// Such a file does not contain threads, stacks of frees, addresses of modules, or which of several blocks with the
/// same size and stack was freed; the newest one is assumed. Its clock ticks every 10 ms. Events between two ticks keep
/// their order, one nanosecond apart. Immutable after open, except that run() reads.
class HeaptrackSource final : public RecordSource {
  public:
    /// Whether a file starts like one of heaptrack; `start` is unpacked.
    [[nodiscard]] static bool isOne(std::string_view start);
    /// Errors: a newer or older format, or raw output that must be interpreted first (the sentence explains how).
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
