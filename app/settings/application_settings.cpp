#include "app/settings/application_settings.h"

#include "core/files/private_folder.h"
#include "ui/format/qt_text.h"

#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QStandardPaths>

#include <algorithm>

namespace highwater::app {
namespace {

constexpr int kMaxRecent = 10;
constexpr qsizetype kMostTargets = 8;
const auto kRecent = QStringLiteral("recentTraces");
const auto kRecentFleets = QStringLiteral("recentFleets");
const auto kRecentDetails = QStringLiteral("recentTraceDetails");
const auto kGeometry = QStringLiteral("windowGeometry");
const auto kWindowState = QStringLiteral("windowState");
const auto kSplitters = QStringLiteral("splitters");
const auto kLinksTabs = QStringLiteral("linksTabs");
const auto kShowsToolBar = QStringLiteral("toolBar");
const auto kShowsFindings = QStringLiteral("findings");
const auto kTheme = QStringLiteral("theme");
const auto kReducesMotion = QStringLiteral("reducesMotion");
const auto kPresets = QStringLiteral("presets");
const auto kRenames = QStringLiteral("renames");
const auto kExitFrees = QStringLiteral("processExitFreesHeap");
const auto kAllocatorFrames = QStringLiteral("allocatorFrames");
const auto kStackTags = QStringLiteral("stackTags");
const auto kBuiltInTags = QStringLiteral("built-in");
const auto kSuppressions = QStringLiteral("suppressions");
const auto kShowsNames = QStringLiteral("symbols/load");
const auto kFullNames = QStringLiteral("symbols/fullNames");
const auto kSymbolPath = QStringLiteral("symbols/path");
const auto kTraceFolders = QStringLiteral("symbols/traceFolders");
const auto kSymbolProcesses = QStringLiteral("symbols/processes");
const auto kSymbolModules = QStringLiteral("symbols/modules");
const auto kOnlyCached = QStringLiteral("symbols/onlyCached");
const auto kRecord = QStringLiteral("record/");
const auto kTargets = QStringLiteral("record/targets");
const auto kRecordings = QStringLiteral("/recordings");
const auto kOutlines = QStringLiteral("/outlines");
constexpr quint64 kMostMegabytes = quint64{1} << 30; // fits into 64 bits as bytes
const auto kMemoryBudget = QStringLiteral("memory/budgetMegabytes");
const auto kIndexLimit = QStringLiteral("traces/indexMegabytes");
const auto kSymbolCache = QStringLiteral("symbols/cacheFolder");

/// A trace of several files is stored as one line because paths do not contain line ends in practice.
constexpr QChar kBetweenPaths = QLatin1Char('\n');

ui::RecentTrace asItIs(const QStringList& paths) {
    ui::RecentTrace trace;
    trace.paths = paths;
    for (const auto& path : paths) {
        const QFileInfo file(path);
        if (!file.isFile()) trace.state = ui::RecentTrace::State::Missing;
        trace.bytes += file.size();
        trace.modified = std::max(trace.modified, file.lastModified());
    }
    return trace;
}

bool isSameLaunch(const ui::LaunchTarget& a, const ui::LaunchTarget& b) {
    return a.program == b.program && a.arguments == b.arguments && a.folder == b.folder;
}

QStringList absolutePaths(const QStringList& paths) {
    QStringList absolute;
    for (const auto& path : paths)
        absolute << QFileInfo(path).absoluteFilePath();
    return absolute;
}

/// The settings contain arguments and variables of recorded programs. The file is created before it has content because
/// QSettings creates world-readable files, but keeps the permissions of existing ones. (The Windows registry is private
/// to the user.)
void keepForOwner(const QString& settingsFile) {
    if (settingsFile.startsWith(QLatin1Char('\\'))) return;
    std::error_code failed; // settings are not stored then
    (void)makePrivateFolder(ui::toPath(QFileInfo(settingsFile).absolutePath()), failed);
    QFile file(settingsFile);
    constexpr auto kOwner = QFileDevice::ReadOwner | QFileDevice::WriteOwner;
    if (!file.exists() && file.open(QIODevice::NewOnly | QIODevice::WriteOnly, kOwner)) return;
    (void)file.setPermissions(kOwner);
}

} // namespace

ApplicationSettings::ApplicationSettings()
    : recordingsFolder_(QStandardPaths::writableLocation(QStandardPaths::AppDataLocation) + kRecordings),
      outlines_(QStandardPaths::writableLocation(QStandardPaths::CacheLocation) + kOutlines),
      settings_(QStringLiteral("Highwater"), QStringLiteral("Highwater")) {
    keepForOwner(settings_.fileName());
}

ApplicationSettings::ApplicationSettings(const QString& file)
    : recordingsFolder_(QFileInfo(file).absolutePath() + kRecordings),
      indexFolder_(QFileInfo(file).absolutePath() + QStringLiteral("/traces")),
      outlines_(QFileInfo(file).absolutePath() + kOutlines),
      settings_(file, QSettings::IniFormat) {
    keepForOwner(file);
}

QList<ui::RecentTrace> ApplicationSettings::recentTraces() const {
    const auto details = QJsonDocument::fromJson(settings_.value(kRecentDetails).toByteArray());
    QList<ui::RecentTrace> traces;
    for (const auto& joined : settings_.value(kRecent).toStringList()) {
        const auto then = details[joined].toObject();
        auto trace = asItIs(joined.split(kBetweenPaths));
        trace.durationNs = static_cast<std::int64_t>(then["durationNs"].toDouble());
        const auto bytes = then["bytes"].toInteger(trace.bytes);
        const auto modified = then["modifiedMs"].toInteger(trace.modified.toMSecsSinceEpoch());
        if (trace.state == ui::RecentTrace::State::Missing) {
            trace.bytes = then["bytes"].toInteger();
            trace.modified = QDateTime::fromMSecsSinceEpoch(then["modifiedMs"].toInteger());
        } else if (bytes != trace.bytes || modified != trace.modified.toMSecsSinceEpoch()) {
            trace.state = ui::RecentTrace::State::Changed;
        }
        trace.outline = outlines_.load(joined);
        traces << trace;
    }
    return traces;
}

void ApplicationSettings::addRecentTrace(const QStringList& paths, std::int64_t durationNs) {
    const auto absolute = absolutePaths(paths);
    auto recent = settings_.value(kRecent).toStringList();
    const auto joined = absolute.join(kBetweenPaths);
    recent.removeAll(joined);
    recent.prepend(joined);
    recent = recent.mid(0, kMaxRecent);
    const auto before = QJsonDocument::fromJson(settings_.value(kRecentDetails).toByteArray());
    QJsonObject details;
    for (const auto& kept : recent) {
        details[kept] = before[kept];
    }
    const auto trace = asItIs(absolute);
    details[joined] = QJsonObject{{"bytes", trace.bytes},
                                  {"modifiedMs", trace.modified.toMSecsSinceEpoch()},
                                  {"durationNs", static_cast<double>(durationNs)}};
    settings_.setValue(kRecent, recent);
    settings_.setValue(kRecentDetails, QJsonDocument(details).toJson(QJsonDocument::Compact));
    outlines_.keepOnly(recent);
}

void ApplicationSettings::removeRecentTrace(const QStringList& paths) {
    const auto joined = absolutePaths(paths).join(kBetweenPaths);
    auto recent = settings_.value(kRecent).toStringList();
    if (recent.removeAll(joined) == 0) return;
    auto details = QJsonDocument::fromJson(settings_.value(kRecentDetails).toByteArray()).object();
    details.remove(joined);
    settings_.setValue(kRecent, recent);
    settings_.setValue(kRecentDetails, QJsonDocument(details).toJson(QJsonDocument::Compact));
    outlines_.keepOnly(recent);
}

void ApplicationSettings::setOutline(const QStringList& paths, const QList<qint64>& amounts) {
    const auto joined = absolutePaths(paths).join(kBetweenPaths);
    if (settings_.value(kRecent).toStringList().contains(joined)) outlines_.save(joined, amounts);
}

QStringList ApplicationSettings::recentFleets() const { return settings_.value(kRecentFleets).toStringList(); }

void ApplicationSettings::addRecentFleet(const QString& address) {
    auto recent = recentFleets();
    recent.removeAll(address);
    recent.prepend(address);
    settings_.setValue(kRecentFleets, recent.mid(0, kMaxRecent));
}

QByteArray ApplicationSettings::windowGeometry() const { return settings_.value(kGeometry).toByteArray(); }

void ApplicationSettings::setWindowGeometry(const QByteArray& geometry) { settings_.setValue(kGeometry, geometry); }

QByteArray ApplicationSettings::windowState() const { return settings_.value(kWindowState).toByteArray(); }

void ApplicationSettings::setWindowState(const QByteArray& state) { settings_.setValue(kWindowState, state); }

QList<QByteArray> ApplicationSettings::splitterStates() const {
    QList<QByteArray> states;
    for (const auto& state : settings_.value(kSplitters).toList()) {
        states << state.toByteArray();
    }
    return states;
}

void ApplicationSettings::setSplitterStates(const QList<QByteArray>& states) {
    QVariantList list;
    for (const auto& state : states) {
        list << state;
    }
    settings_.setValue(kSplitters, list);
}

bool ApplicationSettings::linksTabs() const { return settings_.value(kLinksTabs, false).toBool(); }

void ApplicationSettings::setLinksTabs(bool links) { settings_.setValue(kLinksTabs, links); }

bool ApplicationSettings::showsToolBar() const { return settings_.value(kShowsToolBar, true).toBool(); }

void ApplicationSettings::setShowsToolBar(bool shows) { settings_.setValue(kShowsToolBar, shows); }

bool ApplicationSettings::showsFindings() const { return settings_.value(kShowsFindings, true).toBool(); }

void ApplicationSettings::setShowsFindings(bool shows) { settings_.setValue(kShowsFindings, shows); }

Theme ApplicationSettings::theme() const {
    return parseTheme(settings_.value(kTheme).toString()).value_or(Theme::System);
}

void ApplicationSettings::setTheme(Theme theme) { settings_.setValue(kTheme, themeWord(theme)); }

std::optional<bool> ApplicationSettings::reducesMotion() const {
    const auto value = settings_.value(kReducesMotion);
    return value.isValid() ? std::optional(value.toBool()) : std::nullopt;
}

void ApplicationSettings::setReducesMotion(bool reduces) { settings_.setValue(kReducesMotion, reduces); }

quint64 ApplicationSettings::memoryBudget() const {
    return std::min(settings_.value(kMemoryBudget).toULongLong(), kMostMegabytes) << 20;
}

quint64 ApplicationSettings::indexLimit() const {
    constexpr quint64 kUsualMegabytes = 4096;
    return std::min(settings_.value(kIndexLimit, kUsualMegabytes).toULongLong(), kMostMegabytes) << 20;
}

QByteArray ApplicationSettings::presets() const { return settings_.value(kPresets).toByteArray(); }

void ApplicationSettings::setPresets(const QByteArray& json) { settings_.setValue(kPresets, json); }

/// A list that alternates pairs and lines, newest pair first, because file names are not valid keys of settings.
QString ApplicationSettings::renamesBetween(const QString& pair) const {
    const auto kept = settings_.value(kRenames).toStringList();
    for (qsizetype i = 0; i + 1 < kept.size(); i += 2)
        if (kept[i] == pair) return kept[i + 1];
    return {};
}

void ApplicationSettings::setRenamesBetween(const QString& pair, const QString& lines) {
    constexpr qsizetype kMostPairs = 100;
    const auto before = settings_.value(kRenames).toStringList();
    QStringList kept;
    if (!lines.isEmpty()) kept << pair << lines;
    for (qsizetype i = 0; i + 1 < before.size() && kept.size() < 2 * kMostPairs; i += 2)
        if (before[i] != pair) kept << before[i] << before[i + 1];
    settings_.setValue(kRenames, kept);
}

bool ApplicationSettings::processExitFreesHeap() const { return settings_.value(kExitFrees, false).toBool(); }

void ApplicationSettings::setProcessExitFreesHeap(bool frees) { settings_.setValue(kExitFrees, frees); }

std::optional<QString> ApplicationSettings::allocatorFrames() const {
    const auto text = settings_.value(kAllocatorFrames);
    return text.isValid() ? std::optional(text.toString()) : std::nullopt;
}

void ApplicationSettings::setAllocatorFrames(const std::optional<QString>& text) {
    if (text)
        settings_.setValue(kAllocatorFrames, *text);
    else
        settings_.remove(kAllocatorFrames);
}

QStringList ApplicationSettings::stackTagFiles() const {
    return settings_.contains(kStackTags) ? settings_.value(kStackTags).toStringList() : QStringList(kBuiltInTags);
}

void ApplicationSettings::setStackTagFiles(const QStringList& files) { settings_.setValue(kStackTags, files); }

QStringList ApplicationSettings::suppressionFiles() const { return settings_.value(kSuppressions).toStringList(); }

void ApplicationSettings::setSuppressionFiles(const QStringList& files) { settings_.setValue(kSuppressions, files); }

bool ApplicationSettings::showsFunctionNames() const { return settings_.value(kShowsNames, true).toBool(); }

void ApplicationSettings::setShowsFunctionNames(bool shows) { settings_.setValue(kShowsNames, shows); }

bool ApplicationSettings::fullFunctionNames() const { return settings_.value(kFullNames, false).toBool(); }

void ApplicationSettings::setFullFunctionNames(bool full) { settings_.setValue(kFullNames, full); }

ui::SymbolChoices ApplicationSettings::symbolChoices(const symbols::SymbolPath& usual) const {
    ui::SymbolChoices choices;
    const auto path = settings_.value(kSymbolPath);
    choices.path = path.isValid() ? symbols::SymbolPath::parse(path.toString().toStdString()) : usual;
    choices.usesTraceFolders = settings_.value(kTraceFolders, true).toBool();
    choices.processes = settings_.value(kSymbolProcesses).toStringList();
    choices.modules = settings_.value(kSymbolModules).toStringList();
    choices.onlyCached = settings_.value(kOnlyCached, false).toBool();
    choices.cacheFolder = settings_.value(kSymbolCache).toString();
    return choices;
}

void ApplicationSettings::setSymbolChoices(const ui::SymbolChoices& choices, const symbols::SymbolPath& usual) {
    if (choices.path == usual)
        settings_.remove(kSymbolPath);
    else
        settings_.setValue(kSymbolPath, QString::fromStdString(choices.path.toText()));
    settings_.setValue(kTraceFolders, choices.usesTraceFolders);
    settings_.setValue(kSymbolProcesses, choices.processes);
    settings_.setValue(kSymbolModules, choices.modules);
    settings_.setValue(kOnlyCached, choices.onlyCached);
    settings_.setValue(kSymbolCache, choices.cacheFolder);
}

ui::RecordChoices ApplicationSettings::recordChoices() const {
    ui::RecordChoices choices;
    const auto value = [this](const char* name, const QVariant& usual = {}) {
        return settings_.value(kRecord + QLatin1String(name), usual);
    };
    choices.program = value("program").toString();
    choices.arguments = value("arguments").toString();
    choices.folder = value("folder").toString();
    for (const auto& target : launchTargets()) {
        if (!isSameLaunch(target, ui::targetOf(choices))) continue;
        ui::setTargetOf(choices, target);
        break;
    }
    choices.heap = value("heap", choices.heap).toBool();
    choices.virtualAlloc = value("virtualAlloc", choices.virtualAlloc).toBool();
    choices.stacksOnFree = value("stacksOnFree", choices.stacksOnFree).toBool();
    choices.children = value("children", choices.children).toBool();
    choices.managedNames = value("managedNames", choices.managedNames).toBool();
    using StopWhen = ui::RecordChoices::StopWhen;
    const auto stopWhen = value("stopWhen").toInt();
    choices.stopWhen = stopWhen == 1 ? StopWhen::Above : stopWhen == 2 ? StopWhen::Growth : StopWhen::Never;
    choices.stopMegabytes = value("stopMegabytes", choices.stopMegabytes).toLongLong();
    choices.stopsAfter = value("stopsAfter", choices.stopsAfter).toBool();
    choices.stopSeconds = value("stopSeconds", choices.stopSeconds).toInt();
    choices.compressed = value("compressed", choices.compressed).toBool();
    using Keep = ui::RecordChoices::Keep;
    const auto kept = value("keep").toInt();
    choices.keep = kept == 1 ? Keep::LastMinutes : kept == 2 ? Keep::LastMegabytes : Keep::All;
    choices.keepMinutes = value("keepMinutes", choices.keepMinutes).toInt();
    choices.keepMegabytes = value("keepMegabytes", choices.keepMegabytes).toInt();
    choices.snapshotsEvery = value("snapshotsEvery", choices.snapshotsEvery).toBool();
    choices.snapshotSeconds = value("snapshotSeconds", choices.snapshotSeconds).toInt();
    choices.snapshotsOnGrowth = value("snapshotsOnGrowth", choices.snapshotsOnGrowth).toBool();
    choices.snapshotMegabytes = value("snapshotMegabytes", choices.snapshotMegabytes).toInt();
    return choices;
}

QList<ui::LaunchTarget> ApplicationSettings::launchTargets() const {
    QList<ui::LaunchTarget> targets;
    const auto kept = QJsonDocument::fromJson(settings_.value(kTargets).toByteArray()).array();
    for (const auto& entry : kept) {
        const auto value = entry.toObject();
        ui::LaunchTarget target;
        target.program = value["program"].toString();
        target.arguments = value["arguments"].toString();
        target.folder = value["folder"].toString();
        target.keepsEnvironment = value["environment"].isArray();
        for (const auto& line : value["environment"].toArray()) {
            target.environment << line.toString();
        }
        for (const auto& name : value["variables"].toArray())
            target.forgotten << name.toString();
        for (const auto& known : environments_) {
            if (!isSameLaunch(known, target) || target.keepsEnvironment) continue;
            target.environment = known.environment;
            target.forgotten = known.forgotten;
        }
        if (!target.program.isEmpty() && targets.size() < kMostTargets) targets << target;
    }
    return targets;
}

void ApplicationSettings::setLaunchTargets(const QList<ui::LaunchTarget>& targets) {
    QJsonArray kept;
    environments_.clear();
    for (const auto& target : targets.mid(0, kMostTargets)) {
        QJsonObject values{{"program", target.program}, {"arguments", target.arguments}, {"folder", target.folder}};
        auto names = target.forgotten; // only the values may be secret
        if (target.keepsEnvironment) {
            values["environment"] = QJsonArray::fromStringList(target.environment);
        } else if (!target.environment.isEmpty()) {
            environments_ << target;
            for (const auto& line : target.environment)
                names << ui::variableName(line);
        }
        if (!names.isEmpty()) values["variables"] = QJsonArray::fromStringList(names);
        kept << values;
    }
    settings_.setValue(kTargets, QJsonDocument(kept).toJson(QJsonDocument::Compact));
}

void ApplicationSettings::addLaunchTarget(const ui::LaunchTarget& target) {
    auto targets = launchTargets();
    targets.removeIf([&](const ui::LaunchTarget& known) { return isSameLaunch(known, target); });
    targets.prepend(target);
    setLaunchTargets(targets);
}

void ApplicationSettings::setRecordChoices(const ui::RecordChoices& choices) {
    settings_.remove(kRecord + QLatin1String("environment")); // from an older version, which did not ask
    if (choices.pid == 0 && !choices.program.isEmpty()) addLaunchTarget(ui::targetOf(choices));
    const auto keep = [this](const char* name, const QVariant& value) {
        settings_.setValue(kRecord + QLatin1String(name), value);
    };
    keep("program", choices.program);
    keep("arguments", choices.arguments);
    keep("folder", choices.folder);
    keep("heap", choices.heap);
    keep("virtualAlloc", choices.virtualAlloc);
    keep("stacksOnFree", choices.stacksOnFree);
    keep("children", choices.children);
    keep("managedNames", choices.managedNames);
    keep("stopWhen", static_cast<int>(choices.stopWhen));
    keep("stopMegabytes", choices.stopMegabytes);
    keep("stopsAfter", choices.stopsAfter);
    keep("stopSeconds", choices.stopSeconds);
    keep("compressed", choices.compressed);
    keep("keep", static_cast<int>(choices.keep));
    keep("keepMinutes", choices.keepMinutes);
    keep("keepMegabytes", choices.keepMegabytes);
    keep("snapshotsEvery", choices.snapshotsEvery);
    keep("snapshotSeconds", choices.snapshotSeconds);
    keep("snapshotsOnGrowth", choices.snapshotsOnGrowth);
    keep("snapshotMegabytes", choices.snapshotMegabytes);
}

/// An allow list, so that new settings are excluded until they are reviewed.
QList<QPair<QString, QString>> ApplicationSettings::withoutPaths() const {
    QStringList names{kTheme,      kReducesMotion, kShowsToolBar, kShowsFindings, kExitFrees,
                      kShowsNames, kFullNames,     kTraceFolders, kOnlyCached,    kMemoryBudget};
    for (const auto* name :
         {"heap", "virtualAlloc", "stacksOnFree", "children", "managedNames", "stopWhen", "stopMegabytes", "stopsAfter",
          "stopSeconds", "compressed", "keep", "keepMinutes", "keepMegabytes", "snapshotsEvery", "snapshotSeconds",
          "snapshotsOnGrowth", "snapshotMegabytes"}) {
        names << kRecord + QLatin1String(name);
    }
    QList<QPair<QString, QString>> told;
    for (const auto& name : names) {
        if (settings_.contains(name)) told.append({name, settings_.value(name).toString().left(40)});
    }
    return told;
}

} // namespace highwater::app
