#pragma once

#include <QByteArray>
#include <QString>

#include <initializer_list>
#include <vector>

namespace highwater::tests {

/// Profiles as Windows Performance Analyzer saves them, written by these tests: the same elements and GUIDs.

/// One column of a preset: the attributes of its element, and its options.
struct WpaColumnText {
    QString guid, name;
    QString attributes = {}; ///< ` AggregationMode="Sum"`
    bool isVisible = true;
    QString options = {}; ///< `<StackOptionsParameter Mode="StackTag" />`
};

/// Bars by their place in the line of columns and bars, as WPA counts.
struct WpaBars {
    int gold = 0, leftFreeze = 0, rightFreeze = 0, blue = 0;
};

[[nodiscard]] QString wpaPreset(const QString& name, WpaBars bars, const std::vector<WpaColumnText>& columns,
                                const QString& attributes = {});
[[nodiscard]] QString wpaGraph(const QString& guid, const QString& presets);
/// saved: the content of ModifiedGraphs.
[[nodiscard]] QByteArray wpaProfile(const QString& view, const QString& graphs, const QString& saved = {},
                                    const QString& files = {});

inline const QString kWpaVirtualAlloc = QStringLiteral("e6a4a964-3a87-46ef-9762-f9d9b9208051");
inline const QString kWpaHeap = QStringLiteral("1a64d983-f796-45f8-aa64-ac50b95d0e45");
inline const QString kWpaSnapshot = QStringLiteral("463048cb-2f2b-480d-8e94-a54f3fd88080");

/// Like UIforETW's heap profile: hidden columns everywhere, bars between them, sorted by Count.
[[nodiscard]] QByteArray heapProfile();
/// Like MSO-Scripts' VirtualAlloc profile: two presets of one graph, peaks, a tag mode, no columns frozen on the left.
[[nodiscard]] QByteArray virtualAllocProfile();
/// Like MSO-Scripts' snapshot profile: sorted by two columns, with a graph that only WPA has.
[[nodiscard]] QByteArray snapshotProfile();
/// The first version of the format, from Windows 8.1.
[[nodiscard]] QByteArray oldProfile();

} // namespace highwater::tests
