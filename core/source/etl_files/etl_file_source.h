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
    /// boot or clock, nothing readable, archive that expands too far (etl::ExpansionLimit). A single odd buffer is not an
    /// error.
    static Result<std::unique_ptr<EtlFileSource>> open(const std::vector<std::filesystem::path>& paths, TraceHealth& health);
    /// The same from memory; `name` stands for the path in messages. For tests and fuzzing.
    static Result<std::unique_ptr<EtlFileSource>> fromMemory(std::vector<std::byte> bytes, std::string name, TraceHealth& health);

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
