#include "ui/profiles/wpa_profile.h"

#include "ui/format/qt_text.h"

#include <QStringConverter>
#include <QXmlStreamReader>

#include <algorithm>

namespace highwater::ui {
namespace {

// Far beyond real profiles. Crafted files that exceed them are not read.
constexpr std::size_t kMostPresets = 2'000;
constexpr std::size_t kMostColumns = 500; ///< per preset
constexpr std::size_t kMostViews = 200;
constexpr int kDeepest = 64;
constexpr qsizetype kLongestName = 256;
constexpr qsizetype kLongestQuery = 4'096;
constexpr int kNewestVersion = 2;

bool isTrue(QStringView text) { return text.compare(QLatin1String("true"), Qt::CaseInsensitive) == 0; }

/// QXmlStreamReader compares each attribute of an element with all others, so that a very large number of attributes
/// takes practically forever. An attribute has a '=' outside of quotes. Values do not contain '<', so each '<' starts a
/// new element.
bool hasTooManyAttributes(QStringView text) {
    constexpr int kMostAttributes = 1'000;
    int signs = 0;
    QChar quote;
    for (const auto letter : text) {
        if (letter == u'<') {
            signs = 0;
            quote = QChar();
        } else if (!quote.isNull()) {
            if (letter == quote) quote = QChar();
        } else if (letter == u'"' || letter == u'\'') {
            quote = letter;
        } else if (letter == u'=' && ++signs > kMostAttributes) {
            return true;
        }
    }
    return false;
}

/// Fills a profile element by element. Elements are identified by name alone, because the two forms differ only in the
/// enclosing elements.
class ProfileReader {
  public:
    explicit ProfileReader(const QString& text) : xml_(text) {}

    ReadWpaProfile read() {
        while (!xml_.atEnd() && refusal_.isEmpty()) {
            const auto token = xml_.readNext();
            if (token == QXmlStreamReader::DTD || token == QXmlStreamReader::EntityReference)
                refusal_ = tr("it defines entities, which profiles never do");
            else if (token == QXmlStreamReader::StartElement)
                begin();
            else if (token == QXmlStreamReader::EndElement)
                end();
        }
        if (refusal_.isEmpty() && xml_.hasError()) noteError();
        if (refusal_.isEmpty() && !isProfile_) refusal_ = notAProfile();
        if (!refusal_.isEmpty()) return {std::nullopt, refusal_};
        return {std::move(profile_), {}};
    }

  private:
    static QString notAProfile() { return tr("it is not a Windows Performance Analyzer profile"); }

    [[nodiscard]] QString value(const char* attribute, qsizetype longest = kLongestName) const {
        return xml_.attributes().value(QLatin1String(attribute)).left(longest).toString();
    }
    [[nodiscard]] bool has(const char* attribute) const {
        return xml_.attributes().hasAttribute(QLatin1String(attribute));
    }
    [[nodiscard]] std::optional<int> number(const char* attribute) const {
        bool isNumber = false;
        const int number = xml_.attributes().value(QLatin1String(attribute)).toInt(&isNumber);
        return isNumber ? std::optional(number) : std::nullopt;
    }

    void noteError() {
        const auto where = tr("It could only be read up to line %1: %2").arg(xml_.lineNumber()).arg(xml_.errorString());
        if (!isProfile_)
            refusal_ = notAProfile();
        else
            profile_.trouble = where;
    }

    void begin() {
        const auto name = xml_.name();
        if (++depth_ > kDeepest) return stop();
        if (!isProfile_) return beginProfile(name);
        if (name == QLatin1String("View") || name == QLatin1String("AnalysisView")) return beginView();
        if (name == QLatin1String("ViewTitle") && isInView_) profile_.views.back().title = value("Title");
        if (name == QLatin1String("Graph") || name == QLatin1String("GraphSchema")) return beginGraph(value("Guid"));
        if (name.endsWith(QLatin1String("GraphTreeItem")))
            return beginGraph(has("ClsID") ? value("ClsID") : name.toString().left(kLongestName));
        if (name == QLatin1String("Preset") || name == QLatin1String("HdvViewModelPreset")) return beginPreset();
        if (name == QLatin1String("FileReference") && profile_.tagFiles.size() < 100)
            profile_.tagFiles << value("FileName");
        if (preset_) readInPreset(name);
    }

    void beginProfile(QStringView name) {
        isProfile_ = name == QLatin1String("WpaProfileContainer") || name == QLatin1String("WpaProfile");
        if (!isProfile_)
            refusal_ = notAProfile();
        else if (number("Version").value_or(kNewestVersion) > kNewestVersion)
            profile_.trouble =
                tr("Its version (%1) is unknown, so only the known parts are imported.").arg(value("Version"));
    }

    void beginView() {
        if (profile_.views.size() >= kMostViews) return stop();
        graph_ = nullptr, preset_ = nullptr;
        profile_.views.push_back({value("Title"), {}});
        isInView_ = true;
    }

    void beginGraph(const QString& guid) {
        auto& graphs = isInView_ ? profile_.views.back().graphs : profile_.saved;
        preset_ = nullptr;
        if (graphs.size() >= kMostPresets) return stop();
        graphs.push_back({guid, !has("IsShown") || isTrue(value("IsShown")), {}});
        graph_ = &graphs.back();
    }

    void beginPreset() {
        if (!graph_) return;
        if (++presets_ > kMostPresets) return stop();
        auto& preset = graph_->presets.emplace_back();
        preset.name = value("Name").simplified();
        preset.chart = value("GraphChartType");
        preset.aggregation = value("AggregationOverTime");
        preset.filter = value("InitialFilterQuery", kLongestQuery).trimmed();
        preset.filterKeeps = !has("InitialFilterShouldKeep") || isTrue(value("InitialFilterShouldKeep"));
        preset.expansion = value("InitialExpansionQuery", kLongestQuery).trimmed();
        preset.gold = number("KeyColumnCount");
        preset.blue = number("GraphColumnCount");
        preset.leftFreeze = number("LeftFrozenColumnCount");
        preset.rightFreeze = number("RightFrozenColumnCount");
        preset_ = &preset;
    }

    void readInPreset(QStringView name) {
        if (name == QLatin1String("Column") || name == QLatin1String("HdvColumnViewModelPreset")) return readColumn();
        if (name == QLatin1String("HighlightEntry")) preset_->hasHighlights = true;
        if (name == QLatin1String("AnnotationQueryEntry")) preset_->hasAnnotations = true;
        if (preset_->columns.empty()) return;
        auto& column = preset_->columns.back();
        if (name == QLatin1String("StackOptionsParameter") || name == QLatin1String("PresetStackOptions"))
            column.stackMode = value("Mode");
        else if (name == QLatin1String("DateTimeTimestampOptionsParameter"))
            column.isWallClock = isTrue(value("DateTimeEnabled"));
        else if (name == QLatin1String("DurationInViewOptionsParameter"))
            column.isInView = isTrue(value("InViewEnabled"));
    }

    void readColumn() {
        if (preset_->columns.size() >= kMostColumns) return stop();
        auto& column = preset_->columns.emplace_back();
        column.guid = value("Guid");
        column.name = value("Name").simplified();
        column.aggregation = value("AggregationMode");
        column.sortOrder = value("SortOrder");
        column.sortPriority = number("SortPriority").value_or(0);
        column.cellFormat = value("CellFormat");
        column.isVisible = isTrue(value("IsVisible"));
    }

    /// The pointer is valid only while the element is open, because later graphs may move earlier ones.
    void end() {
        --depth_;
        const auto name = xml_.name();
        if (name == QLatin1String("View") || name == QLatin1String("AnalysisView")) isInView_ = false;
        if (name == QLatin1String("Graph") || name == QLatin1String("GraphSchema") ||
            name.endsWith(QLatin1String("GraphTreeItem")))
            graph_ = nullptr, preset_ = nullptr;
        if (name == QLatin1String("Preset") || name == QLatin1String("HdvViewModelPreset")) preset_ = nullptr;
    }

    void stop() { refusal_ = tr("it is too large or too deeply nested to be a profile"); }

    QXmlStreamReader xml_;
    WpaProfile profile_;
    QString refusal_;
    WpaGraph* graph_ = nullptr;
    WpaPreset* preset_ = nullptr;
    std::size_t presets_ = 0;
    int depth_ = 0;
    bool isProfile_ = false, isInView_ = false;
};

} // namespace

QString textOfProfile(const QByteArray& bytes) {
    QStringDecoder decoder(QStringConverter::encodingForData(bytes, u'<').value_or(QStringConverter::Utf8));
    return decoder.decode(bytes);
}

ReadWpaProfile readWpaProfile(const QByteArray& bytes) {
    if (bytes.size() > kLargestProfile) return {std::nullopt, tr("it is too large to be a profile")};
    const auto text = textOfProfile(bytes);
    if (hasTooManyAttributes(text)) return {std::nullopt, tr("it is too large or too deeply nested to be a profile")};
    return ProfileReader(text).read();
}

} // namespace highwater::ui
