#pragma once

#include "core/fleet/contract/fleet_question.h"

#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace highwater::cli {

/// Writes answers of a store as text, csv or json (docs/command-line.md, fleet).
class FleetAnswers {
  public:
    /// Both must outlive this object.
    FleetAnswers(std::string_view format, std::ostream& out) : format_(format), out_(out) {}

    void write(const std::vector<fleet::RunRow>& runs) const;
    void write(const fleet::GrewAnswer& answer, fleet::Measure measure) const;
    void write(const fleet::HistoryAnswer& answer, fleet::Measure measure) const;
    void write(const fleet::WorstAnswer& answer, fleet::Measure measure) const;
    void write(const std::vector<fleet::SlopeRow>& rows) const;
    void write(const std::vector<fleet::HealthRow>& rows) const;

  private:
    std::string_view format_;
    std::ostream& out_;
};

} // namespace highwater::cli
