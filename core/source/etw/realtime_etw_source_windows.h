#pragma once

#include "core/source/contract/capture.h"
#include "core/source/contract/record_source.h"
#include "core/source/etw/etw_api_windows.h"

#include <memory>

namespace highwater::source {

/// Records a program on Windows as it runs (docs/etw.md): a session of the kernel's events and one of heap events,
/// their records merged by time, and what was loaded before, with its PDBs. Ends when the program has ended, and its
/// children, if they are recorded; when it is stopped; or when somebody else stops a session: then a remark says so.
///
/// One at a time in a program: another one waits until the one before is gone.
class RealtimeEtwSource final : public RecordSource {
  public:
    /// The program is running when this returns, and its events are on their way. Errors leave nothing behind.
    static Result<std::unique_ptr<RealtimeEtwSource>> launch(const EtwApi& api, const CaptureLaunch& launch,
                                                             const CaptureOptions& options);
    static Result<std::unique_ptr<RealtimeEtwSource>> attach(const EtwApi& api, std::uint32_t pid,
                                                             const CaptureOptions& options);
    ~RealtimeEtwSource() override;

    [[nodiscard]] const TraceProperties& properties() const override;
    [[nodiscard]] std::vector<std::uint32_t> targets() const override;
    [[nodiscard]] std::optional<ProgramEnd> programEnd() const override;
    [[nodiscard]] std::function<std::int64_t()> clock() const override;
    Result<void> run(etl::RecordSink& sink, TraceHealth& health, std::stop_token stop, Progress& progress) override;

  private:
    class Impl;
    explicit RealtimeEtwSource(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

} // namespace highwater::source
