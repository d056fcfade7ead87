#pragma once

#include "app/tools/fleet/page/fleet_request.h"

#include <QWidget>

#include <vector>

class QComboBox;
class QFormLayout;
class QLabel;
class QLineEdit;

namespace highwater::ui {

/// The query to a store of runs as a form; fields that a query does not need are hidden. GUI thread only.
class FleetForm : public QWidget {
    Q_OBJECT
  public:
    explicit FleetForm(QWidget* parent = nullptr);
    ~FleetForm() override;

    /// Sets the available choices. Keeps current choices that still exist, otherwise selects the newest two builds.
    void setContents(const FleetContents& contents);
    /// Programs seen in answers, offered as completions.
    void offerProcesses(const std::vector<fleet::FleetStack>& stacks);
    [[nodiscard]] FleetQuestion question() const;
    /// Why the input is not valid; empty: it is.
    [[nodiscard]] QString problem() const;
    /// The store has changed: drops programs and parts of runs of the previous one.
    void forgetStore();
    /// Shows the fields of another kind of query.
    void setKind(FleetKind kind);

  signals:
    /// Also emitted while there are no builds to query.
    void questionChanged();

  private:
    void build();
    QComboBox* addBox(const char* name, const QString& label, const QString& help);
    void addRow(QWidget& field, const char* name, const QString& label, const QString& help);
    void buildLeast();
    void offerWindows(const std::vector<std::string>& windows);
    void showUsualLeast();
    [[nodiscard]] fleet::Measure measure() const;
    /// Whether the rows of the answer are processes instead of stacks.
    [[nodiscard]] bool areProcesses() const;
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
