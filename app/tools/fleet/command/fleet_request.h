#pragma once

#include "app/cli/arguments/requests.h"

#include <cstdint>
#include <string>
#include <vector>

namespace highwater::cli {

/// What `fleet` was asked for, as words and numbers. What one action has no use for is refused by wrongUsage().
struct FleetRequest {
    std::string action;
    std::string store;
    std::vector<std::string> traces; ///< files and folders; of remove runs

    std::string cluster; ///< of init

    std::vector<std::string> labels; ///< NAME=VALUE each; of add, and of runs
    std::string windows;             ///< "marks", seconds, or both with a comma between; "": the whole alone
    std::uint32_t jobs = 1;
    std::string allocatorFramesFile; ///< "": the list that is built in
    SymbolsRequest symbols;
    bool updates = false; ///< add: a run that is there takes the new path and labels

    std::string from, to; ///< builds
    std::string build;
    std::string scenario, machine, process;
    std::string table; ///< "": all
    std::string window = "whole";
    std::string measure = "inuse_space";
    std::string stack;     ///< a key
    std::string least;     ///< bytes; "": as the question has it
    std::uint32_t top = 0; ///< 0: as the question has it
    std::string format = "text";
    bool fail = false;
    bool strict = false;
};

} // namespace highwater::cli
