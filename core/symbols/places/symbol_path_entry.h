#pragma once

#include <string>
#include <vector>

namespace highwater::symbols {

/// One place where debug files may be, as a line of the symbol path dialog.
struct SymbolPathEntry {
    enum class Kind {
        Folder,        ///< a folder with debug files, or a tree name / GUID+age / name
        Cache,         ///< `cache*folder`: what is found by the entries behind it is copied here
        Server,        ///< `srv*cache*url`, `srv*url`, `srv*folder`: a symbol server, with its caches before it
        BuildIdFolder, ///< a folder with ab/cdef....debug below (`/usr/lib/debug/.build-id`)
        Debuginfod,    ///< a URL that is asked for /buildid/.../debuginfo
    };
    Kind kind = Kind::Folder;
    std::vector<std::string> caches; ///< Server and Cache: folders; "" is the default one. Others: empty
    std::string place;               ///< folder or URL; %VAR% is kept as it was written
    bool isTicked = true;
    friend bool operator==(const SymbolPathEntry&, const SymbolPathEntry&) = default;
};

} // namespace highwater::symbols
