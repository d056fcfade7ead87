#pragma once

#include "core/source/contract/record_source.h"

#include <functional>
#include <memory>

namespace highwater::source {

/// Replays the records of another source in real time: delivers each one when its time has come. For demonstrations and
/// tests.
class ReplaySource final : public RecordSource {
  public:
    /// speed: 1 as recorded, 10 ten times as fast, 0 as fast as possible.
    ReplaySource(std::unique_ptr<RecordSource> records, double speed);

    [[nodiscard]] const TraceProperties& properties() const override { return records_->properties(); }
    [[nodiscard]] EtlFileFacts facts() const override { return records_->facts(); }
    /// If stopped, the trace ends there, as with any realtime source.
    Result<void> run(etl::RecordSink& sink, TraceHealth& health, std::stop_token stop, Progress& progress) override;

  private:
    std::unique_ptr<RecordSource> records_;
    double speed_;
};

} // namespace highwater::source
