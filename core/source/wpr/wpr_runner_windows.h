#pragma once

#include "core/source/wpr/wpr_runner.h"

namespace highwater::source {

/// The wpr.exe of the system's own folder: no other of that name.
class SystemWprRunner final : public WprRunner {
  public:
    [[nodiscard]] WprOutcome run(const std::vector<std::string>& arguments, std::chrono::seconds limit) override;
};

} // namespace highwater::source
