#pragma once

#include "core/source/wpr/wpr_runner.h"

namespace highwater::source {

/// Runs the wpr.exe in the system folder, and no other one.
class SystemWprRunner final : public WprRunner {
  public:
    [[nodiscard]] WprOutcome run(const std::vector<std::string>& arguments, std::chrono::seconds limit) override;
};

} // namespace highwater::source
