#pragma once

#include "core/analysis/explain/finding_text.h"

#include <QPushButton>

namespace highwater::ui {

/// A line of text about a finding as a button. Enter and Space also press it. The strip arranges cards and chooses
/// between their lines. GUI thread only.
class FindingCard : public QPushButton {
    Q_OBJECT
  public:
    enum class Kind { Surge, Leak, Held };
    enum class Length { Whole, Brief };

    explicit FindingCard(Kind kind, QWidget* parent);

    void setFinding(const analysis::FindingText& text);
    /// The name of the owner, which may be shortened.
    [[nodiscard]] QString name(Length length) const;
    /// The width for the line with the whole name, or with a name of `nameWidth`.
    [[nodiscard]] int widthFor(Length length) const;
    [[nodiscard]] int widthFor(Length length, int nameWidth) const;
    /// Sets the line that is painted.
    void showLine(Length length, const QString& shortenedName);
    /// The line as painted.
    [[nodiscard]] const QString& shownText() const { return shown_; }
    [[nodiscard]] QSize sizeHint() const override;

  protected:
    void keyPressEvent(QKeyEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

  private:
    struct Line {
        QString before, name, after;
    };
    [[nodiscard]] const Line& line(Length length) const { return length == Length::Whole ? whole_ : brief_; }

    Kind kind_;
    Line whole_;
    Line brief_;
    QString shown_;
};

} // namespace highwater::ui
