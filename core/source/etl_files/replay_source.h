#pragma once

#include "core/source/contract/record_source.h"

#include <functional>
#include <memory>

namespace highwater::source {

/// Plays the records of another source as if they happened now: each one is delivered when its time has come.
/// For trying things out, and for tests.
class ReplaySource final : public RecordSource {
  public:
    /// speed: 1 as recorded, 10 ten times as fast, 0 as fast as they are taken.
    ReplaySource(std::unique_ptr<RecordSource> records, double speed);

    [[nodiscard]] const TraceProperties& properties() const override { return records_->properties(); }
    [[nodiscard]] EtlFileFacts facts() const override { return records_->facts(); }
    /// Stopped: the trace ends there, like any realtime source.
    Result<void> run(etl::RecordSink& sink, TraceHealth& health, std::stop_token stop, Progress& progress) override;

  private:
    std::unique_ptr<RecordSource> records_;
    double speed_;
};

} // namespace highwater::source
