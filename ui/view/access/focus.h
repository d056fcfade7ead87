#pragma once

#include <QObject>
#include <QPointer>
#include <QWidget>

namespace highwater::ui {

/// Who gives a widget made of several the focus means this part of it. A focus proxy would do the same, but Tab then
/// jumps over the parts that stand before it. The last call counts. GUI thread only.
void passFocus(QWidget& from, QWidget& to);

/// Shows which widget has the focus where the style shows nothing: lists without a current row, flat and large buttons.
/// Made by installAccess(); GUI thread only.
class FocusRings : public QObject {
    Q_OBJECT
  public:
    explicit FocusRings(QObject* parent);

  private:
    void follow(QWidget* now);

    QPointer<QWidget> ring_;
};

} // namespace highwater::ui
