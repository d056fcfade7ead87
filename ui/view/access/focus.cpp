#include "ui/view/access/focus.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QCommandLinkButton>
#include <QEvent>
#include <QFocusEvent>
#include <QHeaderView>
#include <QPainter>

namespace highwater::ui {
namespace {

/// A child of the widget that passes its focus on.
class FocusPass : public QObject {
  public:
    explicit FocusPass(QWidget& from) : QObject(&from) { from.installEventFilter(this); }
    QPointer<QWidget> to;

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override {
        if (event->type() != QEvent::FocusIn || watched != parent() || !to) return false;
        to->setFocus(static_cast<QFocusEvent*>(event)->reason());
        return true;
    }
};

/// Covers its parent widget.
class FocusRing : public QWidget {
  public:
    explicit FocusRing(QWidget& around) : QWidget(&around) {
        setAttribute(Qt::WA_TransparentForMouseEvents);
        setFocusPolicy(Qt::NoFocus);
        setGeometry(around.rect());
        around.installEventFilter(this);
        show();
    }

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override {
        if (event->type() == QEvent::Resize) setGeometry(parentWidget()->rect());
        return QWidget::eventFilter(watched, event);
    }
    void paintEvent(QPaintEvent* /*event*/) override {
        const auto* view = qobject_cast<QAbstractItemView*>(parentWidget());
        if (view && view->currentIndex().isValid()) return; // the current row shows the focus
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(palette().color(QPalette::Highlight), 2));
        painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 2, 2);
    }
};

bool needsRing(const QWidget& widget) {
    if (qobject_cast<const QHeaderView*>(&widget)) return false; // the current column shows the focus
    const auto* button = qobject_cast<const QPushButton*>(&widget);
    return qobject_cast<const QAbstractItemView*>(&widget) || qobject_cast<const QCommandLinkButton*>(&widget) ||
           (button && button->isFlat());
}

} // namespace

void passFocus(QWidget& from, QWidget& to) {
    FocusPass* pass = nullptr;
    for (auto* child : from.children()) {
        if (auto* known = dynamic_cast<FocusPass*>(child)) pass = known;
    }
    if (!pass) pass = new FocusPass(from);
    pass->to = &to;
}

FocusRings::FocusRings(QObject* parent) : QObject(parent) {
    connect(qApp, &QApplication::focusChanged, this, [this](QWidget* /*before*/, QWidget* now) { follow(now); });
}

void FocusRings::follow(QWidget* now) {
    if (ring_) {
        ring_->hide();
        ring_->deleteLater();
        ring_.clear();
    }
    if (now && needsRing(*now)) ring_ = new FocusRing(*now);
}

} // namespace highwater::ui

#include "moc_focus.cpp"
