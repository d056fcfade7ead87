#pragma once

#include "app/tools/fleet/page/fleet_request.h"

#include <QWidget>

#include <vector>

class QComboBox;
class QFormLayout;
class QLabel;
class QLineEdit;

namespace highwater::ui {

/// What is asked of a store of runs, as boxes; those that a question does not need are not there. GUI thread only.
class FleetForm : public QWidget {
    Q_OBJECT
  public:
    explicit FleetForm(QWidget* parent = nullptr);
    ~FleetForm() override;

    /// What can be chosen; what was chosen stays so where it is still there, else the newest two builds are.
    void setContents(const FleetContents& contents);
    /// Programs that answers told of: offered beside what is typed.
    void offerProcesses(const std::vector<fleet::FleetStack>& stacks);
    [[nodiscard]] FleetQuestion question() const;
    /// Why what is typed is no question; empty: it is one.
    [[nodiscard]] QString problem() const;
    /// Another store: what was seen in the one before is not offered, and its parts of time are not asked about.
    void forgetStore();
    /// Boxes of another kind of question.
    void setKind(FleetKind kind);

  signals:
    /// Also while there are no builds to ask about.
    void questionChanged();

  private:
    void build();
    QComboBox* addBox(const char* name, const QString& label, const QString& help);
    void addRow(QWidget& field, const char* name, const QString& label, const QString& help);
    void buildLeast();
    void offerWindows(const std::vector<std::string>& windows);
    void showUsualLeast();
    [[nodiscard]] fleet::Measure measure() const;
    void makeTyped(QComboBox& box, const QString& all);
    void showRows();
    [[nodiscard]] FleetKind kind() const;

    QFormLayout* rows_;
    QComboBox* kind_;
    QComboBox* from_;
    QComboBox* to_;
    QComboBox* build_;
    QComboBox* scenario_;
    QComboBox* process_;
    QComboBox* machine_;
    QComboBox* table_;
    QComboBox* window_;
    QComboBox* measure_;
    QLineEdit* least_;
};

} // namespace highwater::ui
