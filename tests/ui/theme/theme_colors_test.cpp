#include "core/export/flame_colors.h"
#include "tests/support/test_registry.h"
#include "ui/state/series_colors.h"
#include "ui/theme/contrast.h"
#include "ui/theme/theme_colors.h"

#include <QDirIterator>
#include <QFile>
#include <QGuiApplication>
#include <QRegularExpression>
#include <QTest>

#include <vector>

using namespace highwater;
using namespace highwater::ui;

namespace {

/// Text or graphics on a background.
struct ColorPair {
    QString name;
    QColor front;
    QColor ground;
    double least;
};

QColor withAlpha(QColor color, int alpha) {
    color.setAlpha(alpha);
    return color;
}

class Pairs {
  public:
    explicit Pairs(Ground ground) : colors_(themeColors(ground)), palette_(paletteOf(ground)) {
        addWords();
        addStatus();
        addGraphs(ground);
        addFlames(ground);
    }
    [[nodiscard]] const std::vector<ColorPair>& all() const { return pairs_; }

  private:
    void add(const QString& name, const QColor& front, const QColor& ground, double least) {
        pairs_.push_back({name, blended(front, ground), ground, least});
    }
    void add(const QString& name, QRgb front, QRgb ground, double least) {
        add(name, QColor::fromRgb(front), QColor::fromRgb(ground), least);
    }
    void addWords() {
        const std::pair<const char*, QRgb> grounds[] = {
            {"window", colors_.window}, {"base", colors_.base}, {"alternate", colors_.alternate}};
        for (const auto& [where, ground] : grounds) {
            add(QStringLiteral("text on %1").arg(where), colors_.text, ground, kTextContrast);
            add(QStringLiteral("quiet words on %1").arg(where), colors_.quiet, ground, kTextContrast);
            add(QStringLiteral("link on %1").arg(where), colors_.link, ground, kTextContrast);
            add(QStringLiteral("accent on %1").arg(where), colors_.accent, ground, kGraphicContrast);
            add(QStringLiteral("gold bar on %1").arg(where), colors_.gold, ground, kGraphicContrast);
            add(QStringLiteral("blue bar on %1").arg(where), colors_.blue, ground, kGraphicContrast);
        }
        add("text on buttons, headers and tooltips", colors_.text, colors_.button, kTextContrast);
        add("words on what is selected", colors_.onAccent, colors_.accent, kTextContrast);
        // Header's second line, list of columns: the text's colour, translucent.
        add("faint words on headers", withAlpha(QColor::fromRgb(colors_.text), 170), QColor::fromRgb(colors_.button),
            kTextContrast);
        add("faint words on base", withAlpha(QColor::fromRgb(colors_.text), 180), QColor::fromRgb(colors_.base),
            kTextContrast);
        add("gold bar on headers", colors_.gold, colors_.button, kGraphicContrast);
        add("blue bar on headers", colors_.blue, colors_.button, kGraphicContrast);
    }
    void addStatus() {
        const auto strip = amberGround(palette_);
        add("words of a warning", QColor::fromRgb(colors_.text), strip, kTextContrast);
        add("link of a warning", QColor::fromRgb(colors_.link), strip, kTextContrast);
        add("refusal on base", colors_.refusal, colors_.base, kTextContrast);
        add("refusal on headers", colors_.refusal, colors_.button, kTextContrast);
        add("line below a mistake", colors_.mistake, colors_.base, kGraphicContrast);
        add("words that are a mistake", QColor::fromRgb(colors_.text),
            blended(mistakeGround(), QColor::fromRgb(colors_.base)), kTextContrast);
        add("what records", colors_.recording, colors_.window, kGraphicContrast);
        for (quint64 i = 0; i < 360; ++i)
            add(QStringLiteral("letter on tile %1").arg(i), QColor(Qt::white), tileColor(i), kTextContrast);
    }
    void addGraphs(Ground ground) {
        const auto before = QGuiApplication::palette();
        QGuiApplication::setPalette(palette_);
        for (std::size_t i = 0; i < kSeriesColors; ++i) {
            for (const auto where : {colors_.base, colors_.alternate, colors_.window})
                add(QStringLiteral("series %1").arg(i), seriesColor(palette_, i), QColor::fromRgb(where),
                    kGraphicContrast);
        }
        add("neutral series", SeriesColors::neutralColor(), QColor::fromRgb(colors_.base), kGraphicContrast);
        QGuiApplication::setPalette(before);
        add("highlighted interval", colors_.highlight, colors_.base, kGraphicContrast);
        add("where events are missing", colors_.lost, colors_.base, kGraphicContrast);
        add("line of before", withAlpha(QColor::fromRgb(colors_.text), 170), QColor::fromRgb(colors_.base),
            kGraphicContrast);
        add("axis and words", colors_.text, colors_.base, kTextContrast);
        if (ground == Ground::HighContrast) add("grid", colors_.midlight, colors_.base, kGraphicContrast);
    }
    void addFlames(Ground ground) {
        const auto of = ground == Ground::Light ? exports::FlameGround::Light : exports::FlameGround::Dark;
        const auto text = QColor::fromRgb(colors_.text);
        add("words of what was found", text, QColor::fromRgb(colors_.found), kTextContrast);
        const auto toColor = [](exports::FlameColor color) { return QColor(color.red, color.green, color.blue); };
        add("merged frames", toColor(exports::mergedFlameColor(of)), QColor::fromRgb(colors_.base),
            ground == Ground::Light ? 1.0 : kGraphicContrast); // on light, a part of which only the width matters
        for (int module = 0; module < 300; ++module) {
            analysis::FlameTree tree;
            tree.labels.push_back({analysis::Column::Stack, 0, "m" + std::to_string(module) + ".dll!f"});
            tree.nodes.resize(2);
            tree.nodes[1].label = 0;
            add(QStringLiteral("words on frames of module %1").arg(module), text,
                toColor(exports::flameColorOf(tree, 1, of)), kTextContrast);
        }
        for (int change = -10; change <= 10; ++change) {
            analysis::FlameTree tree;
            tree.hasBefore = true;
            tree.nodes.resize(1);
            tree.nodes[0].before = change < 0 ? 10 : 10 - change;
            tree.nodes[0].now = change < 0 ? 10 + change : 10;
            add(QStringLiteral("words on a change of %1").arg(change), text,
                toColor(exports::flameColorOf(tree, 0, of)), kTextContrast);
        }
    }

    const ThemeColors& colors_;
    QPalette palette_;
    std::vector<ColorPair> pairs_;
};

} // namespace

/// Every colour is readable on its background, according to WCAG 2.1.
class ThemeColorsTest : public QObject {
    Q_OBJECT
  private slots:
    void contrastIsThatOfTheStandard() {
        QCOMPARE(contrast(Qt::black, Qt::white), 21.0);
        QCOMPARE(contrast(Qt::white, Qt::black), 21.0);
        QCOMPARE(contrast(Qt::red, Qt::red), 1.0);
        QVERIFY(qAbs(contrast(QColor(0x77, 0x77, 0x77), Qt::white) - 4.48) < 0.005); // the known grey that just fails
        QCOMPARE(blended(QColor(255, 255, 255, 51), Qt::black), QColor(51, 51, 51));
    }
    void everyPairCanBeRead_data() {
        QTest::addColumn<Ground>("ground");
        QTest::addRow("light") << Ground::Light;
        QTest::addRow("dark") << Ground::Dark;
        QTest::addRow("high contrast") << Ground::HighContrast;
    }
    void everyPairCanBeRead() {
        QFETCH(Ground, ground);
        const Pairs pairs(ground);
        QStringList tooLow;
        double least = 21;
        for (const auto& pair : pairs.all()) {
            const auto ratio = contrast(pair.front, pair.ground);
            least = std::min(least, ratio / pair.least);
            if (ratio < pair.least)
                tooLow << QStringLiteral("%1: %2 on %3 is %4, not %5")
                              .arg(pair.name, pair.front.name(), pair.ground.name(), QString::number(ratio, 'f', 2),
                                   QString::number(pair.least));
        }
        QVERIFY2(tooLow.isEmpty(), qPrintable(QLatin1Char('\n') + tooLow.join(QLatin1Char('\n'))));
        qInfo("%zu pairs; the nearest is %.0f %% of what it must have", pairs.all().size(), least * 100);
    }
    void highContrastIsHigher() {
        const auto& colors = themeColors(Ground::HighContrast);
        for (const auto front : {colors.text, colors.quiet, colors.link, colors.accent})
            QVERIFY(contrast(QColor::fromRgb(front), QColor::fromRgb(colors.base)) >= 7); // AAA
    }
    void recognizesAPaletteOfAnyOrigin() {
        for (const auto ground : kGrounds)
            QCOMPARE(groundOf(paletteOf(ground)), ground);
        QPalette system(Qt::black); // a desktop with high contrast
        system.setColor(QPalette::Base, Qt::black);
        system.setColor(QPalette::Text, Qt::white);
        QCOMPARE(groundOf(system), Ground::HighContrast);
        QCOMPARE(groundOf(QPalette(QColor(0xEF, 0xEF, 0xEF))), Ground::Light);
    }
    void seriesAreDifferent() {
        for (const auto ground : kGrounds) {
            const auto palette = paletteOf(ground);
            for (std::size_t i = 0; i < kSeriesColors; ++i) {
                for (std::size_t other = 0; other < i; ++other)
                    QVERIFY2(seriesColor(palette, i) != seriesColor(palette, other),
                             qPrintable(QStringLiteral("%1 and %2 in %3").arg(i).arg(other).arg(int(ground))));
            }
        }
    }
    /// Colours outside of the theme would not be tested.
    void noOtherRoomHasColors() {
        const QRegularExpression color(QStringLiteral(
            R"(QColor\s*[({]\s*(0x|[0-9])|fromHsv\(|fromHsl\(|fromRgb\(\s*(0x|[0-9])|qRgb\(\s*(0x|[0-9])|0xFF[0-9A-Fa-f]{6}\b|Qt::(red|green|blue|yellow|gray|darkGray|lightGray|darkRed|darkGreen|darkBlue|cyan|magenta)\b|#[0-9A-Fa-f]{6}\b)"));
        QStringList found;
        for (const auto* folder : {"/ui", "/app"}) {
            QDirIterator files(QStringLiteral(HIGHWATER_SOURCES) + QLatin1String(folder), {"*.cpp", "*.h"}, QDir::Files,
                               QDirIterator::Subdirectories);
            while (files.hasNext()) {
                const auto path = files.next();
                if (path.contains("/ui/theme/")) continue;
                QFile file(path);
                QVERIFY(file.open(QIODevice::ReadOnly));
                const auto match = color.match(QString::fromUtf8(file.readAll()));
                if (match.hasMatch()) found << path + ": " + match.captured();
            }
        }
        QVERIFY2(found.isEmpty(), qPrintable(found.join(QLatin1Char('\n'))));
    }
};
HIGHWATER_TEST(ThemeColorsTest);
#include "theme_colors_test.moc"
