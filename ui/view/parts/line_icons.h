#pragma once

#include <QIcon>

namespace highwater::ui {

/// Line icons in the palette's text colour. They are drawn on use, so that they follow theme changes.
enum class LineIcon {
    Line,
    StackedArea,
    Bars,
    Lifetimes,
    NewBytes,
    Flames,
    Icicle,
    GraphAndTable,
    GraphOnly,
    TableOnly,
    Up,
    Down,
    Close,
    Back,
    Forward,
    More,
    Link,
    Open,
    Save,
    Mark,
    Snapshot,
    Play,
    Record, ///< with a red dot, as usual for recording
    Stop,
    Zoom,
    WholeTrace,
    Find,
    Filter,
    FilterOut,
    BottomUp,
    Symbols,
    Leaks,
    File,
    NewFolder,
    Info,
    Question,
    Warning,
    Float
};

[[nodiscard]] QIcon lineIcon(LineIcon icon);

} // namespace highwater::ui
