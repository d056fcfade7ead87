#pragma once

#include <QIcon>

namespace highwater::ui {

/// Small pictures drawn with lines in the palette's text colour, at the time of drawing: they follow a change of theme.
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
    Record, ///< its dot is red, as what records is everywhere
    Stop,
    Zoom,
    WholeTrace,
    Find,
    Filter,
    FilterOut,
    BottomUp,
    Symbols,
    File,
    NewFolder,
    Info,
    Question,
    Warning,
    Float
};

[[nodiscard]] QIcon lineIcon(LineIcon icon);

} // namespace highwater::ui
