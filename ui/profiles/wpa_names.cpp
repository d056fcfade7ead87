#include "ui/profiles/wpa_names.h"

#include "ui/format/qt_text.h"

#include <algorithm>
#include <array>

namespace highwater::ui {
namespace {

using analysis::Column;
using analysis::Table;

struct GraphGuid {
    const char* guid;
    Table table;
};
// The second name of a graph is from version 1 of profiles, which use the graph's class name.
constexpr std::array kGraphs{
    GraphGuid{"e6a4a964-3a87-46ef-9762-f9d9b9208051", Table::VirtualAlloc},
    GraphGuid{"commitlifetimegraphtreeitem", Table::VirtualAlloc},
    GraphGuid{"1a64d983-f796-45f8-aa64-ac50b95d0e45", Table::Heap},
    GraphGuid{"fullheapgraphtreeitem", Table::Heap},
    GraphGuid{"463048cb-2f2b-480d-8e94-a54f3fd88080", Table::Snapshot},
};

struct OtherGraph {
    const char* guid;
    const char* name;
};
constexpr std::array kOtherGraphs{
    OtherGraph{"18fe1bac-a7d7-471d-a3d7-2abce0eb50cd", "Heap Snapshot differences (here: Trace > Compare Snapshots)"},
    OtherGraph{"260d346a-7457-4ccc-9931-c0c39ed685cd", "Total Commit"},
};

struct ColumnGuid {
    const char* guid;
    Column column;
};
constexpr std::array kVirtualAllocColumns{
    ColumnGuid{"744222db-e5a0-4e6d-b34e-9a9796f3ce38", Column::ProcessName},
    ColumnGuid{"cfe19628-6612-4e45-ad6e-84b7423c8132", Column::Process},
    ColumnGuid{"2818954f-2d30-5569-4510-dade0a5a605c", Column::Annotation},
    ColumnGuid{"02a075ed-f8f0-4ff4-b474-f44059bf7a29", Column::Thread},
    ColumnGuid{"f3e2404e-9274-48de-ba7a-81b10ac0d8e3", Column::Type},
    ColumnGuid{"8e0f7d59-37d1-4191-9c30-625cbacbc04f", Column::ImpactingType},
    ColumnGuid{"9298a5c9-42e9-42d0-b069-f211906a4078", Column::Stack},
    ColumnGuid{"cbc35ff9-0d12-4db3-9a75-578e2d746e4b", Column::LifeTime},
    ColumnGuid{"3e80b2ba-b36a-4ff1-9c2c-d2542002a6d6", Column::Count},
    ColumnGuid{"355d0688-9ebd-41af-b2c4-0dc0f4294eaa", Column::Size},
    ColumnGuid{"191711d7-f84c-4936-93b7-e2793639cdd1", Column::ImpactingSize},
    ColumnGuid{"e35ae2d1-6370-4e17-a79d-eada8afa60f6", Column::BeginTime},
    ColumnGuid{"093b4056-cb58-4209-90b9-29cdbb8ca214", Column::EndTime},
};
constexpr std::array kHeapColumns{
    ColumnGuid{"8693852d-a7e2-4c48-bad6-bd076d2d587a", Column::ProcessName},
    ColumnGuid{"06155709-500b-4182-8944-29665014b5c2", Column::Process},
    ColumnGuid{"fe123e27-eca6-461a-9a1b-b98056a84feb", Column::Type},
    ColumnGuid{"27654de6-995a-4162-a6a6-6dfacb4fa316", Column::Handle},
    ColumnGuid{"0e8ea5da-f511-49fb-9f64-bde5bb6d3f95", Column::ImpactingType},
    ColumnGuid{"759dc840-5079-49db-bae0-3c54e553b7fd", Column::Stack},
    ColumnGuid{"cb796d44-2927-5ac1-d231-4b71904c18f5", Column::ThreadName},
    ColumnGuid{"2818954f-2d30-5569-4510-dade0a5a605c", Column::Annotation},
    ColumnGuid{"24937cb7-4655-43d0-8bdc-901cb2ac65d5", Column::Address},
    ColumnGuid{"5ba0767a-7403-45b4-a991-6d74fd8b7338", Column::PageAddress},
    ColumnGuid{"fbbd2929-3110-4d36-b252-47e65c52ff55", Column::Source},
    ColumnGuid{"454a2bd1-379a-4c5b-8437-1fe4bdccfa8f", Column::Thread},
    ColumnGuid{"859cecc2-100a-4b55-8756-5b83df7e5a93", Column::EndTime},
    ColumnGuid{"7f3683a7-0b54-41e5-957e-84904844d506", Column::SelectionLifeTime},
    ColumnGuid{"aecdc967-1546-420b-a035-1d7184115e33", Column::IsRealloc},
    ColumnGuid{"7710276b-86b8-42c8-8674-4e51cfc673f0", Column::FreeType},
    ColumnGuid{"514a6402-4276-405d-9a46-f8a583089c38", Column::BeginTime},
    ColumnGuid{"62f5e535-a192-475d-8d4d-a725b8a160bd", Column::Count},
    ColumnGuid{"642a8591-f858-4345-b7fa-99e8e4567cca", Column::ImpactingSize},
    ColumnGuid{"29a4dfc2-cd62-4de8-85c3-f580af6a47dd", Column::Size},
    ColumnGuid{"219f972c-9c3e-413b-a921-228a9881d4b5", Column::LifeTime},
};
constexpr std::array kSnapshotColumns{
    ColumnGuid{"bd2378bf-dd18-4d0a-9678-ca787e1299f9", Column::Instance},
    ColumnGuid{"c636d2f3-9150-4f99-8f85-a42047541ed0", Column::Process},
    ColumnGuid{"2818954f-2d30-5569-4510-dade0a5a605c", Column::Annotation},
    ColumnGuid{"cea6c387-e307-4b03-83e7-0ba97cc74336", Column::Handle},
    ColumnGuid{"991604fa-45ec-45c8-825d-0504766a93ad", Column::Pid},
    ColumnGuid{"7934aa50-2a3d-4384-b78a-d9b3bb835866", Column::StackId},
    ColumnGuid{"e33da178-a863-4a38-975e-2562eccb8656", Column::Stack},
    ColumnGuid{"fdb0371a-7d64-47e7-8012-12d41db815eb", Column::Size},
    ColumnGuid{"0bde4a08-6a88-4562-bd65-390626884bf7", Column::Count},
    ColumnGuid{"25d52de1-f5b8-4f42-8ce2-de477746e252", Column::StackDepth},
    ColumnGuid{"555b3fb9-3e48-442c-a1f6-53cd48fcecf5", Column::SnapTime},
    ColumnGuid{"cb796d44-2927-5ac1-d231-4b71904c18f5", Column::ThreadName},
    ColumnGuid{"33021112-f392-4640-abe8-92e47804554e", Column::Address},
};

QString plainGuid(const QString& guid) {
    auto plain = guid.trimmed().toLower();
    if (plain.startsWith(QLatin1Char('{')) && plain.endsWith(QLatin1Char('}'))) plain = plain.mid(1, plain.size() - 2);
    return plain;
}

template <typename List>
auto findGuid(const List& list, const QString& guid) {
    const auto plain = plainGuid(guid);
    return std::find_if(list.begin(), list.end(),
                        [&](const auto& entry) { return plain == QLatin1String(entry.guid); });
}

template <typename List>
std::optional<Column> columnIn(const List& list, const QString& guid) {
    const auto found = findGuid(list, guid);
    return found == list.end() ? std::nullopt : std::optional(found->column);
}

std::optional<Column> columnOfGuid(Table table, const QString& guid) {
    switch (table) {
    case Table::VirtualAlloc:
        return columnIn(kVirtualAllocColumns, guid);
    case Table::Heap:
        return columnIn(kHeapColumns, guid);
    case Table::Snapshot:
        return columnIn(kSnapshotColumns, guid);
    case Table::Frees:
    case Table::Managed:
    case Table::GcHeap:
        break;
    }
    return std::nullopt;
}

} // namespace

std::optional<Table> tableOfGraph(const QString& guid) {
    const auto found = findGuid(kGraphs, guid);
    return found == kGraphs.end() ? std::nullopt : std::optional(found->table);
}

QString nameOfOtherGraph(const QString& guid) {
    const auto found = findGuid(kOtherGraphs, guid);
    return found == kOtherGraphs.end() ? QString() : tr(found->name);
}

std::optional<Column> columnOfGraph(Table table, const QString& guid, const QString& name) {
    auto column = columnOfGuid(table, guid);
    if (!column) column = analysis::parseColumn(table, name.toStdString());
    return column && analysis::hasColumn(table, *column) ? column : std::nullopt;
}

} // namespace highwater::ui
