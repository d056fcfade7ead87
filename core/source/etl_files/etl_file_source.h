#pragma once

#include "core/source/contract/record_source.h"

#include <filesystem>
#include <memory>

namespace highwater::source {

/// One or more .etl files from one boot (or .etl.zip and .diagsession archives that contain them), read as one trace in
/// time order. Immutable after open, except that run() reads.
class EtlFileSource final : public RecordSource {
  public:
    /// Reads the headers of all files. Errors name the file and the reason: not a trace, specified twice, another boot
    /// or clock, nothing readable, or an archive that expands too far (etl::ExpansionLimit). A single invalid buffer is
    /// not an error.
    static Result<std::unique_ptr<EtlFileSource>> open(const std::vector<std::filesystem::path>& paths,
                                                       TraceHealth& health);
    /// Like open(), but a single file larger than twice `ahead` is not scanned completely before its first records
    /// arrive: its buffers are listed while reading, `ahead` bytes in front of the reading position. facts() are
    /// complete after run() has returned. If run() fails with ErrorKind::OutOfOrder, call open() and start again with a
    /// new health.
    static Result<std::unique_ptr<EtlFileSource>> openListedAhead(const std::vector<std::filesystem::path>& paths,
                                                                  TraceHealth& health,
                                                                  std::uint64_t ahead = std::uint64_t{128} << 20);
    /// Reads a trace from memory; `name` replaces the path in messages. For tests and fuzzing.
    static Result<std::unique_ptr<EtlFileSource>> fromMemory(std::vector<std::byte> bytes, std::string name,
                                                             TraceHealth& health);

    /// Number of threads that process the records of run() concurrently (default 0). The source leaves processors to
    /// them where that pays off.
    void setThreadsBeside(unsigned threads);

    ~EtlFileSource() override;
    [[nodiscard]] const TraceProperties& properties() const override;
    [[nodiscard]] EtlFileFacts facts() const override;
    Result<void> run(etl::RecordSink& sink, TraceHealth& health, std::stop_token stop, Progress& progress) override;

  private:
    class Impl;
    explicit EtlFileSource(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

} // namespace highwater::source
