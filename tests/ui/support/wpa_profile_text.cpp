#include "tests/ui/support/wpa_profile_text.h"

namespace highwater::tests {
namespace {

const auto kSum = QStringLiteral(" AggregationMode=\"Sum\"");
const auto kPeak = QStringLiteral(" AggregationMode=\"Peak\"");
const auto kTagMode = QStringLiteral("<StackOptionsParameter Mode=\"StackTag\" />");
const auto kFrameTagMode = QStringLiteral("<StackOptionsParameter Mode=\"FrameTags\" />");
const auto kFrames = QStringLiteral("<StackOptionsParameter />");
const auto kRelativeTime = QStringLiteral("<DateTimeTimestampOptionsParameter DateTimeEnabled=\"false\" />");
const auto kFormatB = QStringLiteral(" CellFormat=\"B\"");
const auto kFormatMb = QStringLiteral(" CellFormat=\"MB\"");
const auto kFormatHex = QStringLiteral(" CellFormat=\"x\"");
const auto kFormatSeconds = QStringLiteral(" CellFormat=\"sN\"");

QString sorted(const char* order, int priority) {
    return QStringLiteral(" SortOrder=\"%1\" SortPriority=\"%2\"").arg(QLatin1String(order)).arg(priority);
}

QString columnText(const WpaColumnText& column, int number) {
    auto attributes = column.attributes;
    if (!attributes.contains(QLatin1String("SortPriority")))
        attributes += QStringLiteral(" SortPriority=\"%1\"").arg(number);
    return QStringLiteral(
               "<Column Guid=\"%1\" Name=\"%2\"%3 Width=\"%4\" IsVisible=\"%5\">%6<ColorQueryEntries /></Column>\n")
        .arg(column.guid, column.name, attributes)
        .arg(50 + number)
        .arg(column.isVisible ? QStringLiteral("true") : QStringLiteral("false"), column.options);
}

QString commitStack() { return QStringLiteral("9298a5c9-42e9-42d0-b069-f211906a4078"); }
QString commitCount() { return QStringLiteral("3e80b2ba-b36a-4ff1-9c2c-d2542002a6d6"); }
QString commitSize() { return QStringLiteral("355d0688-9ebd-41af-b2c4-0dc0f4294eaa"); }

std::vector<WpaColumnText> commitKeys() {
    return {{"744222db-e5a0-4e6d-b34e-9a9796f3ce38", "Process Name"},
            {"cfe19628-6612-4e45-ad6e-84b7423c8132", "Process"},
            {"2818954f-2d30-5569-4510-dade0a5a605c", "Annotation", {}, false},
            {"02a075ed-f8f0-4ff4-b474-f44059bf7a29", "Committing ThreadId", {}, false},
            {"f3e2404e-9274-48de-ba7a-81b10ac0d8e3", "Type", {}, false},
            {commitStack(), "Commit Stack", {}, true, kTagMode},
            {commitStack(), "Commit Stack", {}, true, kFrames}};
}

QString commitsBySize() {
    auto columns = commitKeys();
    columns.insert(
        columns.end(),
        {{"cbc35ff9-0d12-4db3-9a75-578e2d746e4b", "Commit LifeTime", {}, false},
         {commitCount(), "Count", kSum},
         {commitSize(), "Size", kSum + kFormatMb},
         {"191711d7-f84c-4936-93b7-e2793639cdd1", "Impacting Size", kSum + kFormatMb},
         {commitCount(), "Count", kPeak},
         {commitSize(), "Size", kPeak + kFormatMb + sorted("Descending", 0)},
         {"e35ae2d1-6370-4e17-a79d-eada8afa60f6", "Commit Time", sorted("Ascending", 1), false, kRelativeTime},
         {"093b4056-cb58-4209-90b9-29cdbb8ca214", "Decommit Time", {}, false, kRelativeTime}});
    return wpaPreset("Commits by Size", {8, 0, 13, 15}, columns, QStringLiteral(" GraphChartType=\"StackedLine\""));
}

QString commitsOverTime() {
    auto columns = commitKeys();
    columns[4].isVisible = true; // Type
    columns.insert(
        columns.end(),
        {{"cbc35ff9-0d12-4db3-9a75-578e2d746e4b", "Commit LifeTime", {}, false},
         {commitCount(), "Count", kSum},
         {commitSize(), "Size", kPeak + kFormatMb},
         {"e35ae2d1-6370-4e17-a79d-eada8afa60f6", "Commit Time",
          QStringLiteral(" AggregationMode=\"Min\"") + kFormatSeconds + sorted("Ascending", 0), true, kRelativeTime},
         {"093b4056-cb58-4209-90b9-29cdbb8ca214", "Decommit Time",
          QStringLiteral(" AggregationMode=\"Max\"") + kFormatSeconds, true, kRelativeTime}});
    return wpaPreset("Commits over Time", {8, 0, 11, 13}, columns, QStringLiteral(" GraphChartType=\"StackedLine\""));
}

} // namespace

QString wpaPreset(const QString& name, WpaBars bars, const std::vector<WpaColumnText>& columns,
                  const QString& attributes) {
    QString text =
        QStringLiteral("<Preset Name=\"%1\" BarGraphIntervalCount=\"50\" KeyColumnCount=\"%2\" "
                       "LeftFrozenColumnCount=\"%3\" RightFrozenColumnCount=\"%4\" GraphColumnCount=\"%5\"%6>\n"
                       "<MetadataEntries /><HighlightEntries />\n<Columns>\n")
            .arg(name)
            .arg(bars.gold)
            .arg(bars.leftFreeze)
            .arg(bars.rightFreeze)
            .arg(bars.blue)
            .arg(attributes);
    int number = 1;
    for (const auto& column : columns)
        text += columnText(column, number++);
    return text + QStringLiteral("</Columns>\n</Preset>\n");
}

QString wpaGraph(const QString& guid, const QString& presets) {
    return QStringLiteral(
               "<Graph Guid=\"%1\" LayoutStyle=\"All\" IsMinimized=\"false\" IsShown=\"true\">\n%2</Graph>\n")
        .arg(guid, presets);
}

QByteArray wpaProfile(const QString& view, const QString& graphs, const QString& saved, const QString& files) {
    return (QStringLiteral("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n"
                           "<WpaProfileContainer xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" Version=\"2\" "
                           "xmlns=\"http://tempuri.org/SerializableElement.xsd\">\n<Content xsi:type=\"WpaProfile2\">\n"
                           "<Sessions><Session Index=\"0\"><FileReferences>") +
            files +
            QStringLiteral(
                "</FileReferences></Session></Sessions>\n<Views>\n<View Guid=\"0\" IsVisible=\"true\" Title=\"") +
            view + QStringLiteral("\">\n<Graphs>\n") + graphs +
            QStringLiteral(
                "</Graphs>\n<SessionIndices><SessionIndex>0</SessionIndex></SessionIndices>\n</View>\n</Views>\n"
                "<ModifiedGraphs>\n") +
            saved + QStringLiteral("</ModifiedGraphs>\n</Content>\n</WpaProfileContainer>\n"))
        .toUtf8();
}

QByteArray heapProfile() {
    const std::vector<WpaColumnText> columns{
        {"8693852d-a7e2-4c48-bad6-bd076d2d587a", "Process Name", {}, false},
        {"06155709-500b-4182-8944-29665014b5c2", "Process", {}, true, "<ProcessOptionsParameter />"},
        {"fe123e27-eca6-461a-9a1b-b98056a84feb", "Type"},
        {"27654de6-995a-4162-a6a6-6dfacb4fa316", "Handle", kFormatHex, false},
        {"0e8ea5da-f511-49fb-9f64-bde5bb6d3f95", "ImpactingType", {}, false},
        {"d75f9647-91de-4814-82e1-77a5d6213876", "Allocation Nature", {}, false},
        {"759dc840-5079-49db-bae0-3c54e553b7fd", "Stack", {}, false, kTagMode},
        {"759dc840-5079-49db-bae0-3c54e553b7fd", "Stack", {}, false, kFrameTagMode},
        {"759dc840-5079-49db-bae0-3c54e553b7fd", "Stack", {}, true, kFrames},
        {"cb796d44-2927-5ac1-d231-4b71904c18f5", "Thread Name", {}, false},
        {"9db2c0ba-d1ca-4cd5-9861-a8875208193c", "Bucket"},
        {"62f5e535-a192-475d-8d4d-a725b8a160bd", "Count", kSum + sorted("Descending", 0)},
        {"642a8591-f858-4345-b7fa-99e8e4567cca", "Impacting Size", kSum + kFormatB},
        {"29a4dfc2-cd62-4de8-85c3-f580af6a47dd", "Size", kSum}};
    const auto preset = wpaPreset("Heap by Stack", {9, 10, 14, 16}, columns,
                                  QStringLiteral(" AggregationOverTime=\"OutstandingPeak\""));
    return wpaProfile("Heap View", wpaGraph(kWpaHeap, preset),
                      QStringLiteral("<GraphSchema Guid=\"%1\"><ModifiedPresets>%2</ModifiedPresets></GraphSchema>")
                          .arg(kWpaHeap, preset));
}

QByteArray virtualAllocProfile() {
    return wpaProfile("Commits",
                      wpaGraph(kWpaVirtualAlloc, commitsBySize()) + wpaGraph(kWpaVirtualAlloc, commitsOverTime()), {},
                      QStringLiteral("<FileReference FileName=\"our.stacktags\" />"));
}

QByteArray snapshotProfile() {
    const auto preset = wpaPreset(
        "By Snapshot", {5, 6, 12, 15},
        {{"c636d2f3-9150-4f99-8f85-a42047541ed0", "Process"},
         {"991604fa-45ec-45c8-825d-0504766a93ad", "PID", {}, false},
         {"2818954f-2d30-5569-4510-dade0a5a605c", "Annotation", {}, false},
         {"bd2378bf-dd18-4d0a-9678-ca787e1299f9", "Instance", sorted("Ascending", 0)},
         {"e33da178-a863-4a38-975e-2562eccb8656", "Stack"},
         {"25d52de1-f5b8-4f42-8ce2-de477746e252", "Stack Depth", {}, false},
         {"7934aa50-2a3d-4384-b78a-d9b3bb835866", "Stack ID", {}, false},
         {"cea6c387-e307-4b03-83e7-0ba97cc74336", "Heap Handle", kFormatHex, false},
         {"33021112-f392-4640-abe8-92e47804554e", "Allocation Address", kFormatHex},
         {"440a6f8f-b25d-4ffd-9e9e-56c63dc74479", "Pointer Size", {}, false},
         {"0bde4a08-6a88-4562-bd65-390626884bf7", "Count", kSum},
         {"555b3fb9-3e48-442c-a1f6-53cd48fcecf5", "Snap Time", {}, false, kRelativeTime},
         {"fdb0371a-7d64-47e7-8012-12d41db815eb", "Size", kSum + kFormatB + sorted("Descending", 1)},
         {"fdb0371a-7d64-47e7-8012-12d41db815eb", "Size", QStringLiteral(" AggregationMode=\"Max\"") + kFormatB}},
        QStringLiteral(" GraphChartType=\"StackedBars\""));
    return wpaProfile(
        "Snapshots", wpaGraph(kWpaSnapshot, preset),
        QStringLiteral("<GraphSchema Guid=\"18fe1bac-a7d7-471d-a3d7-2abce0eb50cd\"><PersistedPresets>%1"
                       "</PersistedPresets></GraphSchema>")
            .arg(wpaPreset("By Type", {1, 2, 3, 4}, {{"f08d285c-2569-42f3-8bcd-50d3bf80a938", "DiffType"}})));
}

QByteArray oldProfile() {
    const auto column = [](const char* guid, const char* name, const char* attributes) {
        return QStringLiteral("<HdvColumnViewModelPreset Guid=\"%1\" Name=\"%2\"%3 Width=\"80\" />\n")
            .arg(QLatin1String(guid), QLatin1String(name), QLatin1String(attributes));
    };
    constexpr const char* kShown = " IsVisible=\"True\"";
    const auto preset =
        QStringLiteral(
            "<HdvViewModelPreset Name=\"Old Commits\" AggregationOverTime=\"OutstandingPeak\" "
            "GraphColumnCount=\"8\" KeyColumnCount=\"3\" LeftFrozenColumnCount=\"4\" RightFrozenColumnCount=\"6\">"
            "<HdvViewModelPreset.ConfigurableColumns>\n") +
        column("cfe19628-6612-4e45-ad6e-84b7423c8132", "Process", kShown) +
        column("f3e2404e-9274-48de-ba7a-81b10ac0d8e3", "Type", "") +
        column("8e0f7d59-37d1-4191-9c30-625cbacbc04f", "Impacting Type", kShown) +
        column("3e80b2ba-b36a-4ff1-9c2c-d2542002a6d6", "Count", " AggregationMode=\"Sum\" IsVisible=\"True\"") +
        column("191711d7-f84c-4936-93b7-e2793639cdd1", "Impacting Size",
               " AggregationMode=\"Sum\" IsVisible=\"True\"") +
        column("355d0688-9ebd-41af-b2c4-0dc0f4294eaa", "Size",
               " AggregationMode=\"Sum\" IsVisible=\"True\" SortOrder=\"Descending\"") +
        QStringLiteral("</HdvViewModelPreset.ConfigurableColumns></HdvViewModelPreset>");
    return (QStringLiteral(
                "<?xml version=\"1.0\"?><WpaProfile xmlns=\"clr-namespace:Shell\"><WpaProfile.Views>"
                "<AnalysisView Name=\"1\"><AnalysisView.Title><ViewTitle Title=\"Old View\" /></AnalysisView.Title>"
                "<CommitLifetimeGraphTreeItem LayoutStyleFree=\"All\">"
                "<CommitLifetimeGraphTreeItem.HdvViewModelPreset>") +
            preset +
            QStringLiteral("</CommitLifetimeGraphTreeItem.HdvViewModelPreset></CommitLifetimeGraphTreeItem>"
                           "</AnalysisView></WpaProfile.Views></WpaProfile>"))
        .toUtf8();
}

} // namespace highwater::tests
