#pragma once

#include "core/source/contract/record_source.h"
#include "core/source/profiles/profile.h"

#include <string>

namespace highwater::source {

/// Converts a Profile to records: one at the start of each sample, for all its objects, and one at its end. Immutable,
/// except that run() reads.
class ProfileSource final : public RecordSource {
  public:
    /// `path` and `fileBytes`: of the file.
    ProfileSource(Profile profile, std::string path, std::uint64_t fileBytes);

    [[nodiscard]] const TraceProperties& properties() const override { return properties_; }
    Result<void> run(etl::RecordSink& sink, TraceHealth& health, std::stop_token stop, Progress& progress) override;

  private:
    Profile profile_;
    TraceProperties properties_;
};

} // namespace highwater::source
