#include "app/window/manual_page.h"

#include "app/window/arguments.h"
#include "core/export/man_page.h"

namespace highwater::app {
namespace {

using exports::ManEntry, exports::ManExample, exports::ManSection;

std::vector<ManExample> examples() {
    return {
        {"Show where the memory of a program goes from its start", "highwater --record ./app --its-option"},
        {"Open a trace recorded by Windows or by Highwater", "highwater app.etl"},
        {"Show its heap from second 12 to 22, expanded to the function that keeps the most",
         "highwater app.etl --graph heap --range 12:22 --bottom-up --expand-hot-path"},
        {"Save a picture for a report, without a display", "highwater app.etl --screenshot app.png --size 1400x900"},
    };
}

std::vector<ManEntry> exitCodes() {
    return {{"0", "Done."},
            {"1", "Wrong usage."},
            {"2", "No display is available; or the trace, the recording, a preset, a process or a time of --screenshot "
                  "failed."}};
}

} // namespace

std::string manualPage(const std::string& version) {
    exports::ManPage page{"highwater", version, "where the memory of a process goes, live", {}, {}};
    page.synopsis = {"highwater [TRACE.etl ...] [OPTIONS]", "highwater [OPTIONS] --record PROGRAM [ARGUMENTS ...]",
                     "highwater [OPTIONS] --ask-what-to-record"};
    page.sections.push_back(
        {"description",
         "Records heap and VirtualAlloc events of running programs, and opens Windows event traces (.etl). Shows the "
         "outstanding memory over time and the code that allocated it, by process, lifetime and stack for the selected "
         "part of the graph. Several files form one trace. All arguments after --record are passed to the program. F1 "
         "in the window lists all keys and explains the filter language."});
    for (const auto& group : optionGroups()) {
        ManSection section{group.title};
        for (const auto& [option, meaning] : group.options)
            section.entries.push_back({option, meaning});
        page.sections.push_back(std::move(section));
    }
    page.sections.push_back({"exit status", "", exitCodes()});
    page.sections.push_back({"examples", "", {}, examples()});
    page.sections.push_back({"see also", "highwater-cli(1): the same analyses on the command line."});
    return exports::manSource(page);
}

} // namespace highwater::app
