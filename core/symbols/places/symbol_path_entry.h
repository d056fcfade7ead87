#pragma once

#include <string>
#include <vector>

namespace highwater::symbols {

/// One place of debug files: a line in the symbol path dialog.
struct SymbolPathEntry {
    enum class Kind {
        Folder,        ///< a folder with debug files, or a tree name / GUID+age / name
        Cache,         ///< `cache*folder`: files found through the entries after it are copied here
        Server,        ///< `srv*cache*url`, `srv*url`, `srv*folder`: a symbol server, preceded by its caches
        BuildIdFolder, ///< a folder with files such as ab/cdef....debug (`/usr/lib/debug/.build-id`)
        Debuginfod,    ///< a URL that serves /buildid/.../debuginfo
    };
    Kind kind = Kind::Folder;
    std::vector<std::string> caches; ///< Server and Cache: folders; "" is the default folder. Others: empty
    std::string place;               ///< folder or URL; %VAR% is stored unexpanded
    bool isTicked = true;
    friend bool operator==(const SymbolPathEntry&, const SymbolPathEntry&) = default;
};

} // namespace highwater::symbols
