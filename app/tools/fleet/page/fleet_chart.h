#pragma once

#include "core/fleet/contract/fleet_question.h"
#include "ui/view/access/spoken.h"

#include <QString>
#include <QWidget>

#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace highwater::ui {

/// The values of one stack by build, oldest first: the median of machines as a line, up to what 95 % of them do not
/// exceed as a band; the first bad build has a mark, and the one in which that is mended. The pointer, or the arrows,
/// go from build to build, whose numbers the line above tells; Home and End go to the ends, Escape leaves, Enter or a
/// double click chooses a build. GUI thread only.
class FleetChart : public QWidget, public Spoken {
    Q_OBJECT
  public:
    explicit FleetChart(QWidget* parent = nullptr);

    /// Null: there is none (yet), for which `why` stands.
    void setHistory(std::shared_ptr<const fleet::HistoryAnswer> history, fleet::Measure measure,
                    const QString& why = {});
    [[nodiscard]] const std::shared_ptr<const fleet::HistoryAnswer>& history() const { return history_; }
    /// It is of the stack before, which is dimmed.
    void setOld(bool isOld);
    /// The sides that are compared: their names stand out.
    void setSides(const std::string& from, const std::string& to);

    /// The build whose numbers are told; nothing: none is pointed at.
    [[nodiscard]] std::optional<std::size_t> pointedAt() const { return pointed_; }
    /// What is told: of a build, else of all.
    [[nodiscard]] QString words() const;
    [[nodiscard]] QString spokenValue() const override { return words(); }
    [[nodiscard]] QRectF plot() const;
    [[nodiscard]] double xOf(std::size_t build) const;
    [[nodiscard]] double yOf(std::int64_t value) const;

    [[nodiscard]] QSize minimumSizeHint() const override { return {240, 110}; }
    [[nodiscard]] QSize sizeHint() const override { return {600, 190}; }

  signals:
    void buildChosen(const std::string& build);

  protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

  private:
    [[nodiscard]] bool isEmpty() const { return !history_ || history_->builds.empty(); }
    [[nodiscard]] std::size_t count() const { return history_ ? history_->builds.size() : 0; }
    [[nodiscard]] bool hasBuild(std::optional<std::size_t> build) const { return build && *build < count(); }
    [[nodiscard]] QString wordsOfAll() const;
    [[nodiscard]] QString wordsOf(std::size_t build) const;
    void choose();
    void pointAt(std::optional<std::size_t> build);
    void paintWords(QPainter& painter) const;
    void paintAxis(QPainter& painter) const;
    void paintBuilds(QPainter& painter) const;
    void paintSpread(QPainter& painter) const;
    void paintMedian(QPainter& painter) const;
    void paintMarks(QPainter& painter) const;
    /// A build's line and its name, which stands within `room`, from x to x; where it ends.
    double paintMark(QPainter& painter, std::size_t build, QRgb color, const QString& name,
                     std::pair<double, double> room) const;
    void paintCursor(QPainter& painter) const;
    [[nodiscard]] QColor lineColor() const;
    [[nodiscard]] QColor textColor() const;

    std::shared_ptr<const fleet::HistoryAnswer> history_;
    fleet::Measure measure_ = fleet::Measure::InuseSpace;
    QString why_;
    std::string from_, to_;
    bool isOld_ = false;
    std::optional<std::size_t> pointed_;
    std::int64_t lowest_ = 0, highest_ = 0; ///< what the axis reaches to
};

} // namespace highwater::ui
