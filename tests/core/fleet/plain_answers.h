#pragma once

#include "core/fleet/contract/fleet_question.h"

#include <string>
#include <vector>

namespace highwater::tests {

/// Questions answered from the runs themselves, in the simplest way: the answers that stores must give, line by line.
class PlainAnswers {
  public:
    explicit PlainAnswers(std::vector<summary::RunSummary> runs) : runs_(std::move(runs)) {}

    using Lines = std::vector<std::string>;
    [[nodiscard]] bool hasRuns(const std::string& build, const fleet::SampleFilter& filter) const;
    /// Whether any run has the window and the process.
    [[nodiscard]] bool hasNames(const fleet::SampleFilter& filter) const;
    [[nodiscard]] bool hasStack(const summary::StackKey& key) const;
    [[nodiscard]] Lines runs(const fleet::RunFilter& filter) const;
    [[nodiscard]] Lines grew(const fleet::GrewQuestion& question) const;
    [[nodiscard]] Lines presence(const fleet::PresenceQuestion& question) const;
    [[nodiscard]] Lines history(const fleet::HistoryQuestion& question) const;
    [[nodiscard]] Lines worst(const fleet::WorstQuestion& question) const;
    [[nodiscard]] Lines slopes(const std::string& build, const fleet::SampleFilter& filter, std::size_t most) const;
    [[nodiscard]] Lines health(const fleet::RunFilter& filter) const;

  private:
    std::vector<summary::RunSummary> runs_;
};

/// Answers of stores in the form of these lines.
[[nodiscard]] PlainAnswers::Lines linesOf(const std::vector<fleet::RunRow>& rows);
[[nodiscard]] PlainAnswers::Lines linesOf(const fleet::GrewAnswer& answer);
[[nodiscard]] PlainAnswers::Lines linesOf(const fleet::HistoryAnswer& answer);
[[nodiscard]] PlainAnswers::Lines linesOf(const fleet::WorstAnswer& answer);
[[nodiscard]] PlainAnswers::Lines linesOf(const std::vector<fleet::SlopeRow>& rows);
[[nodiscard]] PlainAnswers::Lines linesOf(const std::vector<fleet::HealthRow>& rows);

} // namespace highwater::tests
