#pragma once

#include "app/cli/arguments/requests.h"

#include <cstdint>
#include <string>
#include <vector>

namespace highwater::cli {

/// Arguments of `fleet`. wrongUsage() rejects those that an action does not accept.
struct FleetRequest {
    std::string action;
    std::string store;
    std::vector<std::string> traces; ///< files and folders; for remove: runs

    std::string cluster; ///< for init

    std::vector<std::string> labels; ///< NAME=VALUE; for add and runs
    std::string windows;             ///< "marks", seconds, or both separated by a comma; "": only the whole run
    std::uint32_t jobs = 1;
    std::string allocatorFramesFile; ///< "": the built-in list
    SymbolsRequest symbols;
    bool updates = false; ///< add: update the path and labels of existing runs

    std::string from, to; ///< builds
    std::string build;
    std::string scenario, machine, process;
    std::string table; ///< "": all
    std::string window = "whole";
    std::string measure = "inuse_space";
    std::string stack;     ///< stack key
    std::string least;     ///< bytes; "": default of the query
    std::uint32_t top = 0; ///< 0: default of the query
    std::string format = "text";
    bool fail = false;
    bool strict = false;
};

} // namespace highwater::cli
