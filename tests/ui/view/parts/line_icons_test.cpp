#include "tests/support/test_registry.h"
#include "ui/view/parts/line_icons.h"

#include <QApplication>
#include <QImage>
#include <QPalette>
#include <QTest>

#include <string>
#include <vector>

using namespace highwater::ui;

namespace {

constexpr QSize kSize{32, 32};

QImage pictureOf(LineIcon icon, QIcon::Mode mode = QIcon::Normal) {
    return lineIcon(icon).pixmap(kSize, 1.0, mode).toImage().convertToFormat(QImage::Format_ARGB32);
}

std::vector<LineIcon> allIcons() {
    std::vector<LineIcon> icons;
    for (int i = 0; i <= static_cast<int>(LineIcon::Float); ++i)
        icons.push_back(static_cast<LineIcon>(i));
    return icons;
}

/// The colour of the pixel that is covered most.
QColor inkOf(const QImage& picture) {
    QColor ink(0, 0, 0, 0);
    for (int y = 0; y < picture.height(); ++y) {
        for (int x = 0; x < picture.width(); ++x) {
            if (const auto color = picture.pixelColor(x, y); color.alpha() > ink.alpha()) ink = color;
        }
    }
    return ink;
}

/// While it lives, buttons have this text colour.
class TextColor {
  public:
    explicit TextColor(const QColor& color) : before_(QApplication::palette()) {
        auto palette = before_;
        palette.setColor(QPalette::Active, QPalette::ButtonText, color);
        palette.setColor(QPalette::Disabled, QPalette::ButtonText, Qt::red);
        QApplication::setPalette(palette);
    }
    ~TextColor() { QApplication::setPalette(before_); }
    Q_DISABLE_COPY_MOVE(TextColor)

  private:
    QPalette before_;
};

} // namespace

/// Icons drawn with lines.
class LineIconsTest : public QObject {
    Q_OBJECT
  private slots:
    void everyIconIsAPictureOfItsOwn() {
        const auto icons = allIcons();
        for (std::size_t i = 0; i < icons.size(); ++i) {
            const auto picture = pictureOf(icons[i]);
            QCOMPARE(picture.size(), kSize);
            QVERIFY2(inkOf(picture).alpha() > 128, qPrintable(QString::number(i)));
            for (std::size_t other = 0; other < i; ++other)
                QVERIFY2(picture != pictureOf(icons[other]), qPrintable(QStringLiteral("%1 %2").arg(i).arg(other)));
        }
    }
    void nothingToSpeakOfIsCutAtTheEdge() {
        for (const auto icon : allIcons()) {
            const auto picture = pictureOf(icon);
            for (const int edge : {0, kSize.width() - 1}) {
                for (int i = 0; i < kSize.width(); ++i) {
                    const auto words = std::to_string(static_cast<int>(icon));
                    QVERIFY2(picture.pixelColor(edge, i).alpha() < 64, words.c_str());
                    QVERIFY2(picture.pixelColor(i, edge).alpha() < 64, words.c_str());
                }
            }
        }
    }
    void followsTheThemeWhenItIsDrawn() {
        const auto icon = lineIcon(LineIcon::Save);
        const auto inkNow = [&](QIcon::Mode mode) {
            return inkOf(icon.pixmap(kSize, 1.0, mode).toImage().convertToFormat(QImage::Format_ARGB32)).rgb();
        };
        {
            const TextColor blue(Qt::blue);
            QCOMPARE(inkNow(QIcon::Normal), QColor(Qt::blue).rgb());
            QCOMPARE(inkNow(QIcon::Disabled), QColor(Qt::red).rgb());
        }
        const TextColor green(Qt::green);
        QCOMPARE(inkNow(QIcon::Normal), QColor(Qt::green).rgb());
    }
};

HIGHWATER_TEST(LineIconsTest);
#include "line_icons_test.moc"
