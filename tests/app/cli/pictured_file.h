#pragma once

#include "tests/app/cli/cli_runner.h"
#include "tests/app/tools/holders/pictured_trace.h"

#include <string>

namespace highwater::tests {

/// Path of a file with picturedTrace().
inline std::string picturedFile() {
    static const auto path = [] {
        auto file = temporaryPath("pictured.etl");
        if (!picturedTrace().writeTo(file).hasValue()) qFatal("cannot write");
        return file;
    }();
    return path;
}

/// Path of a file with pictureOnlyTrace().
inline std::string pictureOnlyFile() {
    static const auto path = [] {
        auto file = temporaryPath("picture-alone.etl");
        if (!pictureOnlyTrace().writeTo(file).hasValue()) qFatal("cannot write");
        return file;
    }();
    return path;
}

/// The same as picturedFile() if one stack, "server!open", allocates all blocks.
inline std::string picturedFileOfOneStack() {
    static const auto path = [] {
        auto file = temporaryPath("pictured-stack.etl");
        if (!picturedTrace({"server!open", "server!open", "server!open"}).writeTo(file).hasValue())
            qFatal("cannot write");
        return file;
    }();
    return path;
}

} // namespace highwater::tests
