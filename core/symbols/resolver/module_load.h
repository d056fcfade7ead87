#pragma once

#include "core/base/units.h"
#include "core/store/published/process_table.h"
#include "core/symbols/store/symbol_store.h"

#include <filesystem>
#include <string>
#include <vector>

namespace highwater::symbols {

/// State of one module of a trace while its frames are being named. A value.
struct ModuleLoad {
    enum class State { Waiting, Loading, Found, NotFound, Mismatched, Cancelled };
    store::ModuleIndex module;
    State state = State::Waiting;
    std::uint64_t frames = 0; ///< distinct stack frames
    ByteCount bytes = 0;      ///< sizes of the rows whose stacks contain the module
    bool isFromCache = false;
    bool hasPrivateSymbols = false;
    std::filesystem::path path; ///< the debug file, if one was opened
    std::vector<TriedPlace> tried;
    std::uint64_t bytesDone = 0, bytesTotal = 0; ///< progress of the download; total 0: unknown, or none
};

/// All modules with frames, at one moment.
struct SymbolLoadStatus {
    std::vector<ModuleLoad> modules; ///< heaviest first
    bool isBusy = false;

    [[nodiscard]] std::size_t count(ModuleLoad::State state) const;
    /// Neither waiting nor loading.
    [[nodiscard]] std::size_t doneCount() const;
    /// Problems that the user can solve, of all modules, without duplicates: "https://server: the server does not
    /// answer ...", "/folder/x cannot be written".
    [[nodiscard]] std::vector<std::string> problems() const;
};

} // namespace highwater::symbols
