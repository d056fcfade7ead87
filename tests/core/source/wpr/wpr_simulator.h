#pragma once

#include "core/source/wpr/wpr_runner.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace highwater::tests {

/// Behaves as the documentation of wpr.exe describes, without running anything; its changes to "the system" can be
/// inspected.
class WprSimulator final : public source::WprRunner {
  public:
    using Command = std::vector<std::string>;

    std::set<std::string> enabled; ///< pids and names with heap stack tracing enabled
    std::set<std::string> processes{"100", "200"};
    bool isRecording = false;
    bool isOfAnotherTool = false; ///< the running recording
    bool hasPeriod = false;
    int snapshots = 0;
    std::vector<std::string> saved;
    std::string help = "\t-start\tStarts\r\n\t-snapshotConfig\tChange\r\n";
    std::vector<std::string> commands; ///< as typed
    /// Replaces the simulator's answer if it returns a value; `first` runs the simulator's work before.
    std::function<std::optional<source::WprOutcome>(const Command& command, const std::function<void()>& first)> fault;

    source::WprOutcome run(const Command& command, std::chrono::seconds) override {
        std::string text;
        for (const auto& word : command)
            text += (text.empty() ? "" : " ") + word;
        commands.push_back(text);
        source::WprOutcome outcome;
        bool isDone = false;
        const auto work = [&] {
            if (!isDone) outcome = answer(command);
            isDone = true;
        };
        if (fault) {
            if (const auto other = fault(command, work)) return *other;
        }
        work();
        return outcome;
    }

    static source::WprOutcome failed(std::uint32_t code, std::string words = "\r\n  Failed.\r\n") {
        return {source::WprOutcome::Kind::Ended, code, std::move(words)};
    }

  private:
    static constexpr std::uint32_t kNotRecording = 0xC5583000, kRecordsAlready = 0xC5583001, kWrong = 0x80070057;

    source::WprOutcome answer(const Command& command) {
        if (command == Command{"-help"}) return {source::WprOutcome::Kind::Ended, 0, help};
        const auto& verb = command.at(0);
        if (verb == "-snapshotconfig") return configure(command);
        if (verb == "-start") {
            if (isRecording) return failed(kRecordsAlready, "The profiles are already running.\r\n");
            isRecording = true;
            return {};
        }
        if (!isRecording) return failed(kNotRecording, "There are no trace profiles running.\r\n");
        if (verb == "-cancel" || verb == "-stop") {
            if (verb == "-stop") saved.push_back(command.at(1));
            isRecording = isOfAnotherTool = hasPeriod = false;
            return {};
        }
        if (verb == "-singlesnapshot") return snapshot(command);
        if (verb == "-enableperiodicsnapshot") return ends(hasPeriod = true);
        if (verb == "-disableperiodicsnapshot") return ends(!(hasPeriod = false));
        return failed(kWrong);
    }
    static source::WprOutcome ends(bool) { return {}; }

    source::WprOutcome configure(const Command& command) {
        if (command.size() != 5 || command[1] != "heap") return failed(kWrong);
        const bool isPid = command[2] == "-pid";
        if (isPid && !processes.contains(command[3])) return failed(kWrong, "No such process.");
        if (command[4] == "enable")
            enabled.insert(command[3]);
        else
            enabled.erase(command[3]);
        return {};
    }
    source::WprOutcome snapshot(const Command& command) {
        for (std::size_t i = 2; i < command.size(); ++i)
            if (!processes.contains(command[i])) return failed(kWrong);
        ++snapshots;
        return {};
    }
};

} // namespace highwater::tests
