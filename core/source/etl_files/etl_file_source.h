#pragma once

#include "core/source/contract/record_source.h"

#include <filesystem>
#include <memory>

namespace highwater::source {

/// One or more .etl files of one boot (or .etl.zip / .diagsession archives holding them), as one trace in time order.
/// Immutable after open, except that run() reads.
class EtlFileSource final : public RecordSource {
  public:
    /// Reads the headers of all files. Errors name the file and say what is wrong: not a trace, named twice, another
    /// boot or clock, nothing readable, archive that expands too far (etl::ExpansionLimit). A single odd buffer is not
    /// an error.
    static Result<std::unique_ptr<EtlFileSource>> open(const std::vector<std::filesystem::path>& paths,
                                                       TraceHealth& health);
    /// The same, but of one file that is larger than twice `ahead`, buffers are listed while it is read, so many bytes
    /// in front of what is read: it need not be gone through before its first records come. facts() are whole once
    /// run() has returned. When run() fails with ErrorKind::OutOfOrder, open() it and begin again, with another health.
    static Result<std::unique_ptr<EtlFileSource>> openListedAhead(const std::vector<std::filesystem::path>& paths,
                                                                  TraceHealth& health,
                                                                  std::uint64_t ahead = std::uint64_t{128} << 20);
    /// The same from memory; `name` stands for the path in messages. For tests and fuzzing.
    static Result<std::unique_ptr<EtlFileSource>> fromMemory(std::vector<std::byte> bytes, std::string name,
                                                             TraceHealth& health);

    /// How many threads work on what run() delivers while it goes on, 0 until told: it leaves them their processors,
    /// where that costs less than it gives.
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
